import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import { type Hook, type HookSettings, hook } from './admission-hooks.ts';

export function describeAdmissionValidating(world: () => ApiWorld): void {
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

  async function hooked(settings: Omit<HookSettings, 'namespace'> = {}): Promise<Hook> {
    const made = await hook(world(), { namespace, ...settings });
    hooks.push(made);
    return made;
  }

  const created = (name = 'one', metadata: object = {}) => admin().create(path(), { metadata: { name, ...metadata } });

  describe('a validating webhook that denies', () => {
    it('is named to the client, with its message', async () => {
      const { name } = await hooked({ answer: () => ({ allowed: false, status: { message: 'not on Fridays' } }) });

      const { code, body } = await created();

      expect([code, body.code, body.reason, body.message]).toEqual([
        400,
        400,
        undefined,
        `admission webhook "${name}" denied the request: not on Fridays`,
      ]);
      expect((await admin().get(path('one'))).code).toBe(404);
    });

    it('may say its own code and reason', async () => {
      const status = { code: 409, reason: 'Conflict', message: 'taken' };
      const { name } = await hooked({ answer: () => ({ allowed: false, status }) });

      const { code, body } = await created();

      expect([code, body.code, body.reason, body.message]).toEqual([
        409,
        409,
        'Conflict',
        `admission webhook "${name}" denied the request: taken`,
      ]);
    });

    it('may say nothing', async () => {
      const { name } = await hooked({ answer: () => ({ allowed: false }) });

      const { code, body } = await created();

      expect([code, body.message]).toEqual([400, `admission webhook "${name}" denied the request without explanation`]);
    });

    it('may deny a change and a deletion', async () => {
      await created();
      const { name } = await hooked({ answer: () => ({ allowed: false, status: { message: 'stays as it is' } }) });

      const changed = await admin().patch(path('one'), 'merge', { data: { a: '1' } });
      const deleted = await admin().delete(path('one'));

      const message = `admission webhook "${name}" denied the request: stays as it is`;
      expect([changed.code, changed.body.message]).toEqual([400, message]);
      expect([deleted.code, deleted.body.message]).toEqual([400, message]);
    });
  });

  describe('a validating webhook that allows', () => {
    it('may warn', async () => {
      await hooked({ answer: () => ({ allowed: true, warnings: ['this is old', 'use "that"'] }) });

      const { code, warnings } = await created();

      expect([code, warnings]).toEqual([201, ['this is old', 'use "that"']]);
    });

    it('may warn and deny at once', async () => {
      await hooked({ answer: () => ({ allowed: false, warnings: ['this was old'] }) });

      const { code, warnings } = await created();

      expect([code, warnings]).toEqual([400, ['this was old']]);
    });
  });

  describe('a validating webhook is told', () => {
    it('who creates what', async () => {
      const told = await hooked();

      const { body } = await created('one', { labels: { a: 'b' } });

      expect(told.reviews[0]).toMatchObject({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' });
      expect(told.requests).toHaveLength(1);
      expect(told.requests[0]).toMatchObject({
        operation: 'CREATE',
        kind: { group: '', version: 'v1', kind: 'ConfigMap' },
        resource: { group: '', version: 'v1', resource: 'configmaps' },
        requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
        requestResource: { group: '', version: 'v1', resource: 'configmaps' },
        name: 'one',
        namespace,
        userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
        object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one', namespace, labels: { a: 'b' } } },
        oldObject: null,
        dryRun: false,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      });
      expect(told.requests[0]?.uid).toMatch(/^[0-9a-f-]{36}$/);
      // The object has its identity already.
      expect(told.requests[0]?.object?.['metadata']).toMatchObject({ uid: body.metadata.uid });
    });

    it('what an update changes', async () => {
      const { body } = await created();
      const told = await hooked();

      await admin().update(path('one'), { ...body, data: { a: '1' } });

      expect(told.requests).toMatchObject([
        {
          operation: 'UPDATE',
          name: 'one',
          object: { data: { a: '1' } },
          oldObject: { metadata: { resourceVersion: body.metadata.resourceVersion } },
          options: { kind: 'UpdateOptions' },
        },
      ]);
      expect(told.requests[0]?.oldObject).not.toHaveProperty('data');
    });

    it.each(['json', 'merge', 'strategic'] as const)('the whole object of a %s patch', async (type) => {
      await created('one', { labels: { a: 'b' } });
      const told = await hooked();

      const patch = type === 'json' ? [{ op: 'add', path: '/data', value: { a: '1' } }] : { data: { a: '1' } };
      await admin().patch(path('one'), type, patch);

      expect(told.requests).toMatchObject([
        {
          operation: 'UPDATE',
          object: { metadata: { labels: { a: 'b' } }, data: { a: '1' } },
          options: { kind: 'UpdateOptions' },
        },
      ]);
    });

    it('of an apply that it creates, or that it updates', async () => {
      const told = await hooked();
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } };

      await admin().patch(path('one'), 'apply', object, { fieldManager: 'contract' });
      await admin().patch(path('one'), 'apply', { ...object, data: { a: '1' } }, { fieldManager: 'contract' });

      expect(told.requests.map(({ operation }) => operation)).toEqual(['CREATE', 'UPDATE']);
    });

    it('what a delete deletes', async () => {
      await created('one', { labels: { a: 'b' } });
      const told = await hooked();

      await admin().delete(path('one'));

      expect(told.requests).toMatchObject([
        {
          operation: 'DELETE',
          name: 'one',
          object: null,
          oldObject: { metadata: { name: 'one', labels: { a: 'b' } } },
          options: { kind: 'DeleteOptions' },
        },
      ]);
    });

    it('each object of a deletecollection', async () => {
      await created('one', { labels: { all: 'x' } });
      await created('two', { labels: { all: 'x' } });
      const told = await hooked();

      await admin().delete(path(), undefined, { labelSelector: 'all=x' });

      expect(told.requests.map(({ operation }) => operation)).toEqual(['DELETE', 'DELETE']);
      const names = told.requests.map(({ oldObject }) => oldObject?.['metadata'] as { name: string } | undefined);
      expect(names.map((metadata) => metadata?.name).sort()).toEqual(['one', 'two']);
    });

    it('of a status as a subresource, where its rules name it', async () => {
      const environments = `/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/environments`;
      const spec = { displayName: 'One', deploymentStrategy: 'Manual' };
      const object = {
        apiVersion: 'appstudio.redhat.com/v1alpha1',
        kind: 'Environment',
        metadata: { name: 'one' },
        spec,
      };
      await admin().create(environments, object);
      const rule = { apiGroups: ['appstudio.redhat.com'], apiVersions: ['*'], operations: ['UPDATE'] };
      const told = await hooked({ webhook: { rules: [{ ...rule, resources: ['environments/status'] }] } });

      await admin().patch(`${environments}/one`, 'merge', { spec: { displayName: 'Two' } });
      await admin().patch(`${environments}/one/status`, 'merge', { status: { conditions: [] } });

      expect(told.requests).toMatchObject([
        {
          operation: 'UPDATE',
          subResource: 'status',
          resource: { group: 'appstudio.redhat.com', version: 'v1alpha1', resource: 'environments' },
          object: { status: { conditions: [] } },
        },
      ]);
    });

    it('that it is a dry run', async () => {
      const told = await hooked();

      const { code } = await admin().create(path(), { metadata: { name: 'one' } }, { dryRun: 'All' });

      expect(code).toBe(201);
      expect(told.requests).toMatchObject([{ operation: 'CREATE', dryRun: true, options: { dryRun: ['All'] } }]);
    });
  });
}
