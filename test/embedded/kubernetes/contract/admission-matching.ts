import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiWorld, freshName, pathOf } from '../../../support/api-world.ts';
import { configurations, type Hook, type HookSettings, hook, maps, onMaps } from './admission-hooks.ts';

export function describeAdmissionMatching(world: () => ApiWorld): void {
  const admin = () => world().client();
  let namespace: string;
  let hooks: Hook[];
  const path = (name?: string) => pathOf('v1', 'configmaps', namespace, name);
  const secrets = (name?: string) => pathOf('v1', 'secrets', namespace, name);

  beforeEach(async () => {
    namespace = await world().namespace();
    hooks = [];
  });
  afterEach(async () => {
    for (const { path: config } of hooks) await admin().delete(config);
  });

  async function hooked(webhook: HookSettings['webhook'] = {}, more: Partial<HookSettings> = {}): Promise<Hook> {
    const made = await hook(world(), { namespace, webhook, ...more });
    hooks.push(made);
    return made;
  }

  const seen = ({ requests }: Hook) =>
    requests.map(({ operation, resource, name }) => `${operation} ${resource.resource}/${name}`);

  /** One of everything: config map and secret, created, changed and deleted. */
  async function busy(): Promise<void> {
    for (const at of [path, secrets]) {
      await admin().create(at(), { metadata: { name: 'one' } });
      await admin().patch(at('one'), 'merge', { metadata: { labels: { a: 'b' } } });
      await admin().delete(at('one'));
    }
  }

  const [map, secret] = ['configmaps/one', 'secrets/one'];
  const every = (...resources: string[]) =>
    resources.flatMap((one) => [`CREATE ${one}`, `UPDATE ${one}`, `DELETE ${one}`]);

  describe('a webhook is asked about', () => {
    it.each([
      ['an operation of its rule', onMaps('UPDATE'), [`UPDATE ${map}`]],
      ['every operation', onMaps('*'), every(map)],
      [
        'several resources',
        [{ ...maps, resources: ['secrets', 'configmaps'], operations: ['DELETE'] }],
        [`DELETE ${map}`, `DELETE ${secret}`],
      ],
      [
        'every resource',
        [{ ...maps, resources: ['*'], operations: ['CREATE', 'UPDATE', 'DELETE'] }],
        every(map, secret),
      ],
      [
        'what any of its rules means',
        [...onMaps('CREATE'), { ...maps, resources: ['secrets'], operations: ['DELETE'] }],
        [`CREATE ${map}`, `DELETE ${secret}`],
      ],
      ['nothing of another group', [{ ...maps, apiGroups: ['apps'], operations: ['*'] }], []],
      ['nothing of another version', [{ ...maps, apiVersions: ['v2'], operations: ['*'] }], []],
      ['nothing of cluster scope in a namespace', [{ ...maps, scope: 'Cluster', operations: ['*'] }], []],
      ['what is in a namespace', [{ ...maps, scope: 'Namespaced', operations: ['CREATE'] }], [`CREATE ${map}`]],
    ])('%s', async (_what, rules, expected) => {
      const told = await hooked({ rules });

      await busy();

      expect(seen(told)).toEqual(expected);
    });

    it('objects of cluster scope, whatever its namespaces are, where a rule says so', async () => {
      const cluster = freshName('ns');
      const rules = [{ ...maps, resources: ['namespaces'], scope: 'Cluster', operations: ['CREATE'] }];
      // The labels of a namespace that is being made are its own.
      const told = await hooked({ rules, namespaceSelector: { matchLabels: { team: cluster } } });

      await admin().create('/api/v1/namespaces', { metadata: { name: cluster, labels: { team: cluster } } });
      await world().namespace();

      expect(seen(told)).toEqual([`CREATE namespaces/${cluster}`]);
    });

    it('what is in the namespaces that it selects', async () => {
      const label = freshName('team');
      await admin().patch(`/api/v1/namespaces/${namespace}`, 'merge', { metadata: { labels: { team: label } } });
      const other = await world().namespace();
      const matchExpressions = [{ key: 'team', operator: 'In', values: [label] }];
      const told = await hooked({ namespaceSelector: { matchExpressions } });

      await admin().create(pathOf('v1', 'configmaps', other), { metadata: { name: 'outside' } });
      await admin().create(path(), { metadata: { name: 'inside' } });

      expect(seen(told)).toEqual(['CREATE configmaps/inside']);
    });

    it('the objects that it selects, before or after the change', async () => {
      const told = await hooked({ objectSelector: { matchLabels: { watched: 'yes' } } });

      await admin().create(path(), { metadata: { name: 'other' } });
      await admin().create(path(), { metadata: { name: 'one', labels: { watched: 'yes' } } });
      await admin().patch(path('one'), 'merge', { metadata: { labels: { watched: null } } });
      await admin().patch(path('one'), 'merge', { metadata: { labels: { more: 'x' } } });

      expect(seen(told)).toEqual(['CREATE configmaps/one', 'UPDATE configmaps/one']);
    });

    it('requests that fulfil all its conditions', async () => {
      const told = await hooked({
        matchConditions: [
          { name: 'not-bob', expression: "request.userInfo.username != 'bob'" },
          { name: 'has-key', expression: "has(object.data) && 'key' in object.data" },
          { name: 'new', expression: 'oldObject == null' },
        ],
      });

      await admin().create(path(), { metadata: { name: 'without' } });
      await admin().create(path(), { metadata: { name: 'with' }, data: { key: '1' } });
      await admin().patch(path('with'), 'merge', { data: { key: '2' } });

      expect(seen(told)).toEqual(['CREATE configmaps/with']);
    });

    it('nothing after its configuration is gone', async () => {
      const told = await hooked({}, { answer: () => ({ allowed: false }) });

      await admin().delete(told.path);

      await expect
        .poll(async () => (await admin().create(path(), { metadata: { name: 'one' } })).code, { timeout: 10_000 })
        .toBe(201);
    });
  });

  describe('a webhook configuration is refused for', () => {
    const valid = {
      name: 'hook.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: onMaps('CREATE'),
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };

    it.each([
      [
        'a name that is not qualified',
        { name: 'hook' },
        'webhooks[0].name: Invalid value: "hook": should be a domain with at least three segments separated by dots',
      ],
      [
        'side effects that are not told',
        { sideEffects: undefined },
        'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
      ],
      [
        'side effects in a dry run',
        { sideEffects: 'Some' },
        'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
      ],
      [
        'versions that it does not speak',
        { admissionReviewVersions: ['v2'] },
        'webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
      ],
      [
        'an address that is not https',
        { clientConfig: { url: 'http://127.0.0.1:1/' } },
        `webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
      ],
      [
        'a time-out that is too long',
        { timeoutSeconds: 31 },
        'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
      ],
      [
        'an unknown policy',
        { failurePolicy: 'Hope' },
        'webhooks[0].failurePolicy: Unsupported value: "Hope": supported values: "Fail", "Ignore"',
      ],
    ])('%s', async (_what, change, problem) => {
      const name = freshName('bad');
      const kind = 'ValidatingWebhookConfiguration';

      const { code, body } = await admin().create(configurations('Validating'), {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind,
        metadata: { name },
        webhooks: [{ ...valid, ...change }],
      });

      expect([code, body.message]).toEqual([
        422,
        `${kind}.admissionregistration.k8s.io "${name}" is invalid: ${problem}`,
      ]);
    });

    it('a condition that cannot be compiled', async () => {
      const matchConditions = [{ name: 'broken', expression: 'object.' }];

      const { code, body } = await admin().create(configurations('Validating'), {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: freshName('bad') },
        webhooks: [{ ...valid, matchConditions }],
      });

      expect(code).toBe(422);
      expect(body.message).toContain('webhooks[0].matchConditions[0].expression: Invalid value: "object."');
      expect(body.message).toContain('compilation failed');
    });
  });
}
