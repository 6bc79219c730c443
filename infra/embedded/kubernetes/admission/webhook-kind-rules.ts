import type { ApiObject } from '../api-object.ts';
import type { KindRules } from '../kinds/served-kind.ts';
import { type FieldError, notSupported } from '../status-error.ts';
import {
  duplicate,
  type Fields,
  fields,
  items,
  required,
  strings,
  text,
  unsupported,
  wrong,
} from './field-problems.ts';
import { isSubdomain, qualifiedNameProblems, selectorErrors, subdomainRule } from './label-selector.ts';
import { conditionProblem } from './match-conditions.ts';
import { ruleErrors } from './webhook-rule-errors.ts';

type Kind = 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';

const mostConditions = 64;
const version = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const versionRule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

function nameErrors(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  if (!isSubdomain(name)) return [wrong(path, name, subdomainRule)];
  const isShort = name.split('.').length < 3;
  return isShort ? [wrong(path, name, 'should be a domain with at least three segments separated by dots')] : [];
}

/** What the API finds in a URL before it looks at anything else. */
function urlErrors(url: string, path: string): FieldError[] {
  const form = 'desired format: https://host[/path]';
  if (!/^[a-zA-Z][-+.a-zA-Z0-9]*:/.test(url)) {
    return [required(path, `url must be a valid URL: parse ${JSON.stringify(url)}: missing protocol scheme; ${form}`)];
  }
  const [, scheme = '', rest = ''] = /^([^:]*):(?:\/\/)?(.*)$/s.exec(url) ?? [];
  const [beforeFragment = '', fragment = ''] = rest.split('#', 2);
  const [address = '', query = ''] = beforeFragment.split('?', 2);
  const authority = address.split('/', 1)[0] ?? '';
  const at = authority.lastIndexOf('@');
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== 'https') {
    errors.push(wrong(path, scheme, `'https' is the only allowed URL scheme; ${form}`));
  }
  if (authority.slice(at + 1) === '') errors.push(wrong(path, '', `host must be specified; ${form}`));
  if (at !== -1) errors.push(wrong(path, authority.slice(0, at), 'user information is not permitted in the URL'));
  if (fragment !== '') errors.push(wrong(path, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(wrong(path, query, 'query parameters are not permitted in the URL'));
  if (errors.length === 0 && !URL.canParse(url)) errors.push(required(path, `url must be a valid URL; ${form}`));
  return errors;
}

function clientErrors(client: Fields, path: string): FieldError[] {
  const hasUrl = client['url'] !== undefined && client['url'] !== null;
  const hasService = client['service'] !== undefined && client['service'] !== null;
  if (hasUrl === hasService) return [required(path, 'exactly one of url or service is required')];
  // There is no network of Services here that a webhook could be reached through.
  if (hasService) throw notSupported(`A webhook behind a service (${path}.service; a url can be used)`);
  return urlErrors(text(client['url']), `${path}.url`);
}

function versionErrors(webhook: Fields, path: string): FieldError[] {
  const versions = strings(webhook['admissionReviewVersions']);
  if (versions.length === 0) return [required(path, 'must specify one of v1, v1beta1')];
  const errors = versions.flatMap((each, index) => {
    if (versions.indexOf(each) < index) return [wrong(`${path}[${index}]`, each, 'duplicate version')];
    return version.test(each) ? [] : [wrong(`${path}[${index}]`, each, versionRule)];
  });
  if (errors.length === 0 && !versions.includes('v1') && !versions.includes('v1beta1')) {
    return [wrong(path, versions, 'must include at least one of v1, v1beta1')];
  }
  if (errors.length === 0 && !versions.includes('v1')) throw notSupported(`${path} without v1`);
  return errors;
}

function conditionErrors(webhook: Fields, path: string): FieldError[] {
  const conditions = items(webhook['matchConditions']).map(fields);
  if (conditions.length > mostConditions) {
    const message = `Too many: ${conditions.length}: must have at most ${mostConditions} items`;
    return [{ reason: 'FieldValueTooMany', field: path, message }];
  }
  const names = conditions.map((condition) => text(condition['name']));
  return conditions.flatMap((condition, index) => {
    const here = `${path}[${index}]`;
    const expression = text(condition['expression']).trim();
    const name = names[index] ?? '';
    if (/\bauthorizer\b/.test(expression)) throw notSupported(`authorizer in ${here}.expression`);
    const problem = expression === '' ? undefined : conditionProblem(expression);
    return [
      ...(expression === '' ? [required(`${here}.expression`)] : []),
      ...(problem === undefined ? [] : [wrong(`${here}.expression`, expression, problem)]),
      ...(name === '' ? [required(`${here}.name`)] : []),
      ...(name === '' ? [] : qualifiedNameProblems(name).map((each) => wrong(`${here}.name`, name, each))),
      ...(name !== '' && names.indexOf(name) < index ? [duplicate(`${here}.name`, name)] : []),
    ];
  });
}

function oneOf(webhook: Fields, field: string, path: string, supported: readonly string[]): FieldError[] {
  const value = webhook[field];
  if (value === undefined || value === null || supported.includes(text(value))) return [];
  return [unsupported(`${path}.${field}`, text(value), supported)];
}

function webhookErrors(webhook: Fields, path: string): FieldError[] {
  const errors = nameErrors(text(webhook['name']), `${path}.name`);
  errors.push(
    ...items(webhook['rules']).flatMap((rule, index) => ruleErrors(fields(rule), `${path}.rules[${index}]`)),
    ...oneOf(webhook, 'failurePolicy', path, ['Fail', 'Ignore']),
    ...oneOf(webhook, 'matchPolicy', path, ['Equivalent', 'Exact']),
  );
  if (webhook['sideEffects'] === undefined || webhook['sideEffects'] === null) {
    errors.push(required(`${path}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
  } else errors.push(...oneOf(webhook, 'sideEffects', path, ['None', 'NoneOnDryRun']));
  const seconds = webhook['timeoutSeconds'];
  if (typeof seconds === 'number' && (seconds < 1 || seconds > 30)) {
    errors.push(wrong(`${path}.timeoutSeconds`, seconds, 'the timeout value must be between 1 and 30 seconds'));
  }
  return [
    ...errors,
    ...oneOf(webhook, 'reinvocationPolicy', path, ['IfNeeded', 'Never']),
    ...selectorErrors(webhook['namespaceSelector'], `${path}.namespaceSelector`),
    ...selectorErrors(webhook['objectSelector'], `${path}.objectSelector`),
    ...clientErrors(fields(webhook['clientConfig']), `${path}.clientConfig`),
    ...conditionErrors(webhook, `${path}.matchConditions`),
    ...versionErrors(webhook, `${path}.admissionReviewVersions`),
  ];
}

function validate(configuration: ApiObject): FieldError[] {
  const webhooks = items(configuration['webhooks']).map(fields);
  const names = webhooks.map((webhook) => text(webhook['name']));
  return webhooks.flatMap((webhook, index) => {
    const path = `webhooks[${index}]`;
    const name = names[index] ?? '';
    const isRepeated = name !== '' && names.indexOf(name) < index;
    return [...webhookErrors(webhook, path), ...(isRepeated ? [duplicate(`${path}.name`, name)] : [])];
  });
}

function setDefaults(configuration: ApiObject, kind: Kind): void {
  if (!Array.isArray(configuration['webhooks'])) return;
  configuration['webhooks'] = configuration['webhooks'].map((value: unknown) => {
    const webhook = fields(value);
    const rules = items(webhook['rules']).map((rule) => ({
      ...fields(rule),
      scope: text(fields(rule)['scope']) || '*',
    }));
    return {
      ...webhook,
      ...(webhook['rules'] === undefined ? {} : { rules }),
      failurePolicy: webhook['failurePolicy'] ?? 'Fail',
      matchPolicy: webhook['matchPolicy'] ?? 'Equivalent',
      namespaceSelector: webhook['namespaceSelector'] ?? {},
      objectSelector: webhook['objectSelector'] ?? {},
      timeoutSeconds: webhook['timeoutSeconds'] ?? 10,
      ...(kind === 'MutatingWebhookConfiguration'
        ? { reinvocationPolicy: webhook['reinvocationPolicy'] ?? 'Never' }
        : {}),
    };
  });
}

function rulesOf(kind: Kind): KindRules {
  return { setDefaults: (configuration) => setDefaults(configuration, kind), validate };
}

export const webhookKindRules: Readonly<Record<Kind, KindRules>> = {
  MutatingWebhookConfiguration: rulesOf('MutatingWebhookConfiguration'),
  ValidatingWebhookConfiguration: rulesOf('ValidatingWebhookConfiguration'),
};
