import type { ApiObject } from '../api-object.ts';
import { compileConditions, type MatchConditions } from './match-conditions.ts';

export interface WebhookRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

/** One webhook of one configuration, ready to be asked. */
export interface Webhook {
  readonly configuration: string;
  readonly name: string;
  readonly url: string;
  readonly caBundle: string;
  readonly rules: readonly WebhookRule[];
  readonly ignoresFailure: boolean;
  readonly timeoutSeconds: number;
  readonly namespaceSelector: unknown;
  readonly objectSelector: unknown;
  readonly conditions: MatchConditions;
  readonly isReinvocable: boolean;
  readonly hasSideEffects: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function strings(value: unknown): readonly string[] {
  return items(value).filter((item): item is string => typeof item === 'string');
}

function ruleOf(value: unknown): WebhookRule {
  const rule = fields(value);
  return {
    operations: strings(rule['operations']),
    apiGroups: strings(rule['apiGroups']),
    apiVersions: strings(rule['apiVersions']),
    resources: strings(rule['resources']),
    scope: text(rule['scope']) || '*',
  };
}

/** In the order in which they are asked. */
export function webhooksOf(configuration: ApiObject): readonly Webhook[] {
  return items(configuration['webhooks']).map((value) => {
    const webhook = fields(value);
    const client = fields(webhook['clientConfig']);
    const sideEffects = text(webhook['sideEffects']);
    return {
      configuration: configuration.metadata.name ?? '',
      name: text(webhook['name']),
      url: text(client['url']),
      caBundle: text(client['caBundle']),
      rules: items(webhook['rules']).map(ruleOf),
      ignoresFailure: webhook['failurePolicy'] === 'Ignore',
      timeoutSeconds: typeof webhook['timeoutSeconds'] === 'number' ? webhook['timeoutSeconds'] : 10,
      namespaceSelector: webhook['namespaceSelector'] ?? {},
      objectSelector: webhook['objectSelector'] ?? {},
      conditions: compileConditions(items(webhook['matchConditions']).map((each) => text(fields(each)['expression']))),
      isReinvocable: webhook['reinvocationPolicy'] === 'IfNeeded',
      hasSideEffects: sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun',
    };
  });
}
