import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import type { AdmissionAttributes } from '../../../../infra/embedded/kubernetes/request-attributes.ts';
import { answer, configMap, createWebhookWorld, refusal, writing } from './webhook-world.ts';

let world: ReturnType<typeof createWebhookWorld>;

beforeEach(() => {
  world = createWebhookWorld();
});

/** Whether a webhook with these fields is asked about this write. */
async function isAsked(
  more: Record<string, unknown>,
  attributes: Partial<AdmissionAttributes> = {},
  object: ApiObject = configMap(),
): Promise<boolean> {
  world.configure('Validating', 't', [world.webhook(answer({}), more)]);
  const before = world.seen.length;
  await world.admission.validate(writing(attributes), object, undefined);
  return world.seen.length > before;
}

function rule(more: Record<string, unknown>): Record<string, unknown> {
  return { rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], ...more }] };
}

describe('a webhook is asked', () => {
  it('about the operations, groups, versions and resources of its rules', async () => {
    expect(await isAsked(rule({}))).toBe(true);
    expect(await isAsked(rule({ operations: ['UPDATE', 'DELETE'] }))).toBe(false);
    expect(await isAsked(rule({ apiGroups: ['apps'] }))).toBe(false);
    expect(await isAsked(rule({ apiVersions: ['v2'] }))).toBe(false);
    expect(await isAsked(rule({ resources: ['secrets', 'configmaps'] }))).toBe(true);
    expect(await isAsked({ rules: [] })).toBe(false);
  });

  it('about subresources only where it says so', async () => {
    const status = { subresource: 'status', operation: 'UPDATE' } as const;

    expect(await isAsked(rule({ resources: ['*'] }), status)).toBe(false);
    expect(await isAsked(rule({ resources: ['configmaps'] }), status)).toBe(false);
    expect(await isAsked(rule({ resources: ['configmaps/status'] }), status)).toBe(true);
    expect(await isAsked(rule({ resources: ['configmaps/*'] }), status)).toBe(true);
    expect(await isAsked(rule({ resources: ['*/status'] }), status)).toBe(true);
    expect(await isAsked(rule({ resources: ['*/*'] }), status)).toBe(true);
    expect(await isAsked(rule({ resources: ['configmaps/status'] }))).toBe(false);
  });

  it('about namespaced or cluster-wide objects as its scope says', async () => {
    const node = { resource: 'nodes', namespace: '' };
    const namespace = { resource: 'namespaces', namespace: 'w', name: 'w' };

    expect(await isAsked(rule({ scope: 'Namespaced' }))).toBe(true);
    expect(await isAsked(rule({ scope: 'Cluster' }))).toBe(false);
    expect(await isAsked(rule({ scope: 'Cluster' }), node)).toBe(true);
    expect(await isAsked(rule({ scope: 'Cluster' }), namespace)).toBe(true);
  });

  it('about namespaces that its selector selects, and about everything that is in none', async () => {
    const selecting = (team: string) => ({ ...rule({}), namespaceSelector: { matchLabels: { team } } });
    const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', labels: { team: 'b' } } };
    const making = { resource: 'namespaces', namespace: 'n', name: 'n' };

    expect(await isAsked(selecting('a'))).toBe(true);
    expect(await isAsked(selecting('b'))).toBe(false);
    expect(await isAsked(selecting('b'), { resource: 'nodes', namespace: '' })).toBe(true);
    expect(await isAsked(selecting('b'), making, made)).toBe(true);
    expect((await refusal(isAsked(selecting('a'), { namespace: 'gone' }))).message).toBe('namespaces "gone" not found');
  });

  it('about objects whose labels, new or old, its selector selects', async () => {
    const labelled = (labels: Record<string, string>) => configMap({ metadata: { name: 'c1', labels } });
    const selector = {
      objectSelector: { matchExpressions: [{ key: 'x', operator: 'In', values: ['y', 'constructor'] }] },
    };

    expect(await isAsked(selector)).toBe(false);
    expect(await isAsked(selector, {}, labelled({ x: 'y' }))).toBe(true);
    await world.admission.validate(writing({ operation: 'UPDATE' }), labelled({}), labelled({ x: 'y' }));
    expect(world.seen).toHaveLength(2);
  });

  it('never about the configuration of webhooks', async () => {
    const resource = {
      group: 'admissionregistration.k8s.io',
      resource: 'validatingwebhookconfigurations',
      namespace: '',
    };

    expect(await isAsked(rule({}), resource)).toBe(false);
  });

  it('no more once its configuration is gone', async () => {
    await isAsked(rule({}));
    world.store.remove('validatingwebhookconfigurations.admissionregistration.k8s.io', '', 't');

    await world.admission.validate(writing(), configMap(), undefined);

    expect(world.seen).toHaveLength(1);
  });
});

describe('the conditions of a webhook', () => {
  function when(...expressions: string[]): Record<string, unknown> {
    return { matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })) };
  }

  it('see the object, the old one and the request', async () => {
    for (const expression of [
      'has(object.data)',
      'oldObject == null',
      'request.operation == "CREATE"',
      'request.userInfo.username == "admin" && "system:masters" in request.userInfo.groups',
      'request.kind.kind == "ConfigMap" && request.namespace == "w" && request.name.startsWith("c") && !request.dryRun',
      'object.data.a.matches("^b$")',
      'object.metadata.?labels.foo.orValue("") == ""',
    ]) {
      expect([expression, await isAsked(when(expression))]).toEqual([expression, true]);
    }
    expect(await isAsked(when('object.metadata.name == "zzz"'))).toBe(false);
    expect(await isAsked(when('object.spec.replicas > 2'), {}, configMap({ spec: { replicas: 3 } }))).toBe(true);
  });

  it('must all hold, and one that does not settles it whatever is wrong with the others', async () => {
    expect(await isAsked(when('true', 'true'))).toBe(true);
    expect(await isAsked(when('object.nope == "a"', 'false'))).toBe(false);
  });

  it('that cannot be decided refuse the write, or are passed over', async () => {
    const one = await refusal(isAsked(when('object.nope == "a"')));
    const two = await refusal(isAsked(when('object.nope=="a"', 'object.nope2=="a"')));

    expect(one.status).toMatchObject({
      message: `configmaps "c1" is forbidden: expression 'object.nope == "a"' resulted in error: no such key: nope`,
      reason: 'Forbidden',
      code: 403,
    });
    expect(two.message).toBe(
      `configmaps "c1" is forbidden: [expression 'object.nope=="a"' resulted in error: no such key: nope, expression 'object.nope2=="a"' resulted in error: no such key: nope2]`,
    );
    expect(await isAsked({ ...when('object.nope == "a"'), failurePolicy: 'Ignore' })).toBe(false);
    expect((await refusal(isAsked(when('object.')))).status.code).toBe(403);
  });
});
