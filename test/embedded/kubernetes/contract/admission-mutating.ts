import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import { type Hook, type HookSettings, hook } from './admission-hooks.ts';

const label = (name: string, value: string) => ({ op: 'add', path: `/metadata/labels/${name}`, value });

export function describeAdmissionMutating(world: () => ApiWorld): void {
  const admin = () => world().client();
  let namespace: string;
  let hooks: Hook[];
  const path = (name?: string) => pathOf('v1', 'configmaps', namespace, name);

  beforeEach(async () => {
    namespace = await world().namespace();
    hooks = [];
  });
  afterEach(async () => {
    for (const { path: config } of hooks) await admin().delete(config);
  });

  async function hooked(settings: Omit<HookSettings, 'namespace'>): Promise<Hook> {
    const made = await hook(world(), { namespace, ...settings });
    hooks.push(made);
    return made;
  }

  const created = () => admin().create(path(), { metadata: { name: 'one', labels: { a: '1' } }, data: { k: 'v' } });

  describe('a mutating webhook', () => {
    it('changes what is stored', async () => {
      const patch = [
        label('b', '2'),
        { op: 'replace', path: '/data/k', value: 'changed' },
        { op: 'remove', path: '/metadata/labels/a' },
      ];
      await hooked({ type: 'Mutating', answer: () => ({ allowed: true, patch }) });

      const { code, body } = await created();
      const read = await admin().get(path('one'));

      expect(code).toBe(201);
      expect(body).toMatchObject({ metadata: { labels: { b: '2' } }, data: { k: 'changed' } });
      expect(read.body.metadata.labels).toEqual({ b: '2' });
    });

    it('changes an update too', async () => {
      const { body } = await created();
      await hooked({ type: 'Mutating', answer: () => ({ allowed: true, patch: [label('by', 'hook')] }) });

      const updated = await admin().update(path('one'), { ...body, data: {} });

      expect(updated.body.metadata.labels).toEqual({ a: '1', by: 'hook' });
    });

    it('may deny', async () => {
      const { name } = await hooked({
        type: 'Mutating',
        answer: () => ({ allowed: false, status: { message: 'cannot be mended' } }),
      });

      const { code, body } = await created();

      expect([code, body.message]).toEqual([400, `admission webhook "${name}" denied the request: cannot be mended`]);
    });

    it('is asked before the validating ones, which see what it made', async () => {
      const validating = await hooked({ prefix: 'a' });
      await hooked({ type: 'Mutating', prefix: 'b', answer: () => ({ allowed: true, patch: [label('b', '2')] }) });

      await created();

      expect(validating.requests).toMatchObject([{ object: { metadata: { labels: { a: '1', b: '2' } } } }]);
    });

    it('is asked in the order of the names of the configurations', async () => {
      const second = await hooked({
        type: 'Mutating',
        prefix: 'second',
        answer: () => ({ allowed: true, patch: [label('by', 'second')] }),
      });
      const first = await hooked({
        type: 'Mutating',
        prefix: 'first',
        answer: () => ({ allowed: true, patch: [label('by', 'first')] }),
      });

      const { body } = await created();

      expect(first.requests).toMatchObject([{ object: { metadata: { labels: { a: '1' } } } }]);
      expect(second.requests).toMatchObject([{ object: { metadata: { labels: { a: '1', by: 'first' } } } }]);
      expect(body.metadata.labels).toEqual({ a: '1', by: 'second' });
    });

    it('whose patch does not fit is an error of the server', async () => {
      await hooked({
        type: 'Mutating',
        answer: () => ({ allowed: true, patch: [{ op: 'remove', path: '/data/absent' }] }),
      });

      const { code, body } = await created();

      expect([code, body.reason]).toEqual([500, 'InternalError']);
      expect(body.message).toBe(
        "Internal error occurred: error in remove for path: '/data/absent': Unable to remove nonexistent key: absent: missing value",
      );
    });

    it('that changes a custom object is followed by defaulting, pruning and validation', async () => {
      const environments = `/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/environments`;
      const spec = { displayName: 'One', deploymentStrategy: 'Manual' };
      const environment = (name: string) => ({
        apiVersion: 'appstudio.redhat.com/v1alpha1',
        kind: 'Environment',
        metadata: { name },
        spec,
      });
      const rules = [
        {
          apiGroups: ['appstudio.redhat.com'],
          apiVersions: ['*'],
          resources: ['environments'],
          operations: ['CREATE'],
        },
      ];
      await hooked({
        type: 'Mutating',
        webhook: { rules },
        answer: ({ name }) => ({
          allowed: true,
          patch:
            name === 'bad'
              ? [{ op: 'replace', path: '/spec/deploymentStrategy', value: 'Auto' }]
              : [
                  { op: 'add', path: '/spec/promotion', value: { stepDeadline: '1m' } },
                  { op: 'add', path: '/spec/unknown', value: 1 },
                ],
        }),
      });

      const good = await admin().create(environments, environment('good'));
      const bad = await admin().create(environments, environment('bad'));

      expect(good.body.spec).toEqual({ ...spec, promotion: { stepDeadline: '1m', targetDeadline: '1h' } });
      expect(bad.code).toBe(422);
      expect(bad.body.message).toContain('spec.deploymentStrategy: Unsupported value: "Auto"');
    });

    it('sees the defaults of a custom object', async () => {
      const environments = `/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/environments`;
      const rules = [
        {
          apiGroups: ['appstudio.redhat.com'],
          apiVersions: ['*'],
          resources: ['environments'],
          operations: ['CREATE'],
        },
      ];
      const told = await hooked({ type: 'Mutating', webhook: { rules } });

      await admin().create(environments, {
        apiVersion: 'appstudio.redhat.com/v1alpha1',
        kind: 'Environment',
        metadata: { name: 'one' },
        spec: { displayName: 'One', deploymentStrategy: 'Manual' },
      });

      expect(told.requests).toMatchObject([{ object: { spec: { promotion: { stepDeadline: '5m' } } } }]);
    });

    it('is not asked about a delete it has no rule for', async () => {
      await created();
      const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }];
      const told = await hooked({ type: 'Mutating', webhook: { rules } });

      await admin().delete(path('one'));

      expect(told.requests).toEqual([]);
    });
  });
}
