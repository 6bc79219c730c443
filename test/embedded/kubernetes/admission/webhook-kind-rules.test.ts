import { describe, expect, it } from 'vitest';
import { webhookKindRules } from '../../../../infra/embedded/kubernetes/admission/webhook-kind-rules.ts';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { refusalOf } from '../auth/asking.ts';

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };

function webhook(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'a.b.c',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    rules: [rule],
    clientConfig: { url: 'https://127.0.0.1/a' },
    ...more,
  };
}

function configuration(...webhooks: Record<string, unknown>[]): ApiObject {
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'x', metadata: { name: 'vv' }, webhooks };
}

function problems(...webhooks: Record<string, unknown>[]): string[] {
  const object = configuration(...webhooks);
  const rules = webhookKindRules.MutatingWebhookConfiguration;
  return (rules.validate?.(object, undefined) ?? []).map(({ field, message }) => `${field}: ${message}`);
}

function ruleProblems(more: Record<string, unknown>): string[] {
  return problems(webhook({ rules: [{ ...rule, ...more }] })).map((text) => text.replace('webhooks[0].rules[0].', ''));
}

describe('a configuration of webhooks', () => {
  it('is filled in as the API fills it in', () => {
    const mutating = configuration(webhook());
    const validating = configuration(webhook({ timeoutSeconds: 3, failurePolicy: 'Ignore' }));

    webhookKindRules.MutatingWebhookConfiguration.setDefaults?.(mutating);
    webhookKindRules.ValidatingWebhookConfiguration.setDefaults?.(validating);

    expect(mutating['webhooks']).toEqual([
      {
        ...webhook({ rules: [{ ...rule, scope: '*' }] }),
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        reinvocationPolicy: 'Never',
      },
    ]);
    expect(validating['webhooks']).toMatchObject([{ timeoutSeconds: 3, failurePolicy: 'Ignore' }]);
    expect(validating['webhooks']).not.toHaveProperty('[0].reinvocationPolicy');
  });

  it('may have no webhooks, or webhooks without rules', () => {
    expect(problems()).toEqual([]);
    expect(problems(webhook({ rules: [] }))).toEqual([]);
  });

  it('says everything that a webhook lacks', () => {
    expect(problems({})).toEqual([
      'webhooks[0].name: Required value',
      'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
      'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
      'webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1',
    ]);
  });

  it.each([
    [{ name: 'abc' }, 'name: Invalid value: "abc": should be a domain with at least three segments separated by dots'],
    [{ sideEffects: 'Some' }, 'sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    [{ failurePolicy: 'x' }, 'failurePolicy: Unsupported value: "x": supported values: "Fail", "Ignore"'],
    [{ matchPolicy: 'y' }, 'matchPolicy: Unsupported value: "y": supported values: "Equivalent", "Exact"'],
    [{ timeoutSeconds: 31 }, 'timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    [{ reinvocationPolicy: 'y' }, 'reinvocationPolicy: Unsupported value: "y": supported values: "IfNeeded", "Never"'],
    [
      { admissionReviewVersions: ['v9'] },
      'admissionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1',
    ],
    [{ admissionReviewVersions: ['v1', 'v1'] }, 'admissionReviewVersions[1]: Invalid value: "v1": duplicate version'],
    [
      { clientConfig: { url: 'http://a.b/c' } },
      `clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
    ],
    [
      { clientConfig: { url: 'https://a/b?x=1' } },
      'clientConfig.url: Invalid value: "x=1": query parameters are not permitted in the URL',
    ],
    [
      { clientConfig: { url: 'https://u:p@a/b' } },
      'clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
    ],
    [
      { clientConfig: { url: 'https://a/b#f' } },
      'clientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
    ],
    [
      { clientConfig: { url: '::bad' } },
      'clientConfig.url: Required value: url must be a valid URL: parse "::bad": missing protocol scheme; desired format: https://host[/path]',
    ],
    [
      { clientConfig: { url: 'https://' } },
      'clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
    ],
    [
      { clientConfig: { url: 'https://a/', service: { name: 'a' } } },
      'clientConfig: Required value: exactly one of url or service is required',
    ],
    [
      { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
      "namespaceSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
  ])('refuses %j', (more, problem) => {
    expect(problems(webhook(more))).toEqual([`webhooks[0].${problem}`]);
  });

  it('refuses two webhooks of one name', () => {
    expect(problems(webhook(), webhook())).toEqual(['webhooks[1].name: Duplicate value: "a.b.c"']);
  });

  it('refuses rules that say too little or too much', () => {
    expect(problems(webhook({ rules: [{}] }))).toHaveLength(4);
    expect(ruleProblems({ operations: ['X'] })).toEqual([
      'operations[0]: Unsupported value: "X": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
    ]);
    expect(ruleProblems({ operations: ['*', 'CREATE'] })).toEqual([
      `operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`,
    ]);
    expect(ruleProblems({ apiGroups: ['a', '*'] })).toEqual([
      `apiGroups: Invalid value: ["a","*"]: if '*' is present, must not specify other API groups`,
    ]);
    expect(ruleProblems({ resources: ['*/*', 'pods'] })).toEqual([
      `resources: Invalid value: ["*/*","pods"]: if '*/*' is present, must not specify other resources`,
    ]);
    expect(ruleProblems({ resources: ['*', 'pods'], scope: 'X' })).toEqual([
      `resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
      'scope: Unsupported value: "X": supported values: "*", "Cluster", "Namespaced"',
    ]);
    expect(ruleProblems({ resources: ['pods/*', 'pods/log'] })).toEqual([
      `resources[1]: Invalid value: "pods/log": if 'pods/*' is present, must not specify pods/log`,
    ]);
  });

  it('refuses conditions that could never be decided', () => {
    const matchConditions = [
      {},
      { name: 'a b', expression: 'true' },
      { name: 'x', expression: 'true' },
      { name: 'x', expression: '"a"' },
      { name: 'y', expression: 'object.a' },
      { name: 'z', expression: 'foo == 1' },
    ];
    const found = problems(webhook({ matchConditions })).map((text) => text.replace('webhooks[0].matchConditions', ''));

    expect(found.map((text) => text.slice(0, 70))).toEqual([
      '[0].expression: Required value',
      '[0].name: Required value',
      expect.stringContaining('[1].name: Invalid value: "a b": name part must consist of'),
      '[3].expression: Invalid value: "\\"a\\"": must evaluate to bool but got ',
      '[3].name: Duplicate value: "x"',
      '[4].expression: Invalid value: "object.a": must evaluate to bool but g',
      expect.stringContaining('[5].expression: Invalid value: "foo == 1": compilation failed'),
    ]);
    const many = Array.from({ length: 65 }, (_, index) => ({ name: `x${index}`, expression: 'true' }));
    expect(problems(webhook({ matchConditions: many }))).toEqual([
      'webhooks[0].matchConditions: Too many: 65: must have at most 64 items',
    ]);
  });

  it('says plainly what this server cannot do', () => {
    const service = webhook({ clientConfig: { service: { name: 'a', namespace: 'b' } } });
    const asks = webhook({
      matchConditions: [{ name: 'a', expression: 'authorizer.group("").resource("x").check("get").allowed()' }],
    });

    for (const each of [service, asks, webhook({ admissionReviewVersions: ['v1beta1'] })]) {
      const refused = refusalOf(() => problems(each));
      expect(refused.code).toBe(501);
      expect(refused.message).toContain('is not supported by the embedded API server');
    }
  });
});
