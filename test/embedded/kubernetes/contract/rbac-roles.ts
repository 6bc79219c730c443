import { describe, expect, it } from 'vitest';
import { type ApiWorld, freshName, pathOf } from '../../../support/api-world.ts';
import {
  alice,
  bindingOf,
  bindingsPath,
  bob,
  clusterRolesPath,
  eventually,
  grantEverywhere,
  grantIn,
  newcomer,
  type Rule,
  roleOf,
  rolesPath,
} from './rbac-grants.ts';

const maps = (namespace?: string, name?: string) => pathOf('v1', 'configmaps', namespace, name);
const onMaps = (...verbs: string[]): Rule => ({ apiGroups: [''], resources: ['configmaps'], verbs });

export function describeRbacRoles(world: () => ApiWorld): void {
  const admin = () => world().client();
  const asAlice = () => world().client('alice-token');
  const asBob = () => world().client('bob-token');

  describe('a role', () => {
    it('gives a user its verbs in its namespace, and no others', async () => {
      const [inside, outside] = [await world().namespace(), await world().namespace()];
      await grantIn(world(), inside, alice, onMaps('get', 'create'));

      await eventually(201, () => asAlice().create(maps(inside), { metadata: { name: 'one' } }));
      const codes = [
        (await asAlice().get(maps(inside, 'one'))).code,
        (await asAlice().list(maps(inside))).code,
        (await asAlice().delete(maps(inside, 'one'))).code,
        (await asAlice().get(maps(outside, 'one'))).code,
        (await asBob().get(maps(inside, 'one'))).code,
      ];

      expect(codes).toEqual([200, 403, 403, 403, 403]);
    });

    it('gives a group its verbs', async () => {
      const namespace = await world().namespace();
      await grantIn(world(), namespace, { kind: 'Group', name: 'operators' }, onMaps('list'));

      await eventually(200, () => asBob().list(maps(namespace)));

      expect((await asAlice().list(maps(namespace))).code).toBe(403);
    });

    it('gives a service account its verbs in a namespace of others', async () => {
      const namespace = await world().namespace();
      const { client, subject } = await newcomer(world());
      await grantIn(world(), namespace, subject, onMaps('list'));

      const listed = await eventually(200, () => client.list(maps(namespace)));

      expect(listed.body.kind).toBe('ConfigMapList');
    });

    it.each([
      ['list', 'GET', {}, { watch: true }],
      ['watch', 'GET', { watch: true, timeoutSeconds: 1 }, {}],
    ] as const)('of %s does not give its neighbour', async (verb, method, allowed, refused) => {
      const namespace = await world().namespace();
      await grantIn(world(), namespace, bob, onMaps(verb));

      await eventually(200, () => asBob().request({ method, path: maps(namespace), query: allowed }));

      expect((await asBob().request({ method, path: maps(namespace), query: refused })).code).toBe(403);
    });

    it('of deletecollection does not give delete', async () => {
      const namespace = await world().namespace();
      await grantIn(world(), namespace, bob, onMaps('deletecollection'));

      await eventually(200, () => asBob().delete(maps(namespace)));

      expect((await asBob().delete(maps(namespace, 'one'))).code).toBe(403);
    });

    it('for names gives only those, and never the list', async () => {
      const namespace = await world().namespace();
      await grantIn(world(), namespace, bob, { ...onMaps('get', 'list', 'create'), resourceNames: ['mine'] });

      await eventually(404, () => asBob().get(maps(namespace, 'mine')));
      const codes = [
        (await asBob().get(maps(namespace, 'other'))).code,
        (await asBob().list(maps(namespace))).code,
        (await asBob().list(maps(namespace), { fieldSelector: 'metadata.name=mine' })).code,
        (await asBob().create(maps(namespace), { metadata: { name: 'mine' } })).code,
      ];

      // A list of one name counts as that name; a create does not tell its name before it is read.
      expect(codes).toEqual([403, 403, 200, 403]);
    });

    it('for a subresource gives nothing of the resource', async () => {
      const namespace = await world().namespace();
      const path = `/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/environments/one`;
      const rule = { apiGroups: ['appstudio.redhat.com'], resources: ['environments/status'], verbs: ['*'] };
      await grantIn(world(), namespace, bob, rule);

      await eventually(404, () => asBob().get(`${path}/status`));

      expect((await asBob().get(path)).code).toBe(403);
    });

    it('for a resource gives nothing of its subresources', async () => {
      const namespace = await world().namespace();
      const path = `/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/environments/one`;
      const rule = { apiGroups: ['appstudio.redhat.com'], resources: ['environments'], verbs: ['*'] };
      await grantIn(world(), namespace, bob, rule);

      await eventually(404, () => asBob().get(path));

      expect((await asBob().get(`${path}/status`)).code).toBe(403);
    });

    it.each([
      ['every verb', { apiGroups: [''], resources: ['secrets'], verbs: ['*'] }],
      ['every resource', { apiGroups: [''], resources: ['*'], verbs: ['get'] }],
      ['every group', { apiGroups: ['*'], resources: ['secrets'], verbs: ['get'] }],
    ])('with a star gives %s', async (_what, rule) => {
      const namespace = await world().namespace();
      await grantIn(world(), namespace, bob, rule);

      await eventually(404, () => asBob().get(pathOf('v1', 'secrets', namespace, 'one')));
    });

    it('for one group gives nothing of another', async () => {
      const namespace = await world().namespace();
      await grantIn(world(), namespace, bob, { apiGroups: ['apps'], resources: ['*'], verbs: ['*'] });

      await eventually(404, () => asBob().get(pathOf('apps/v1', 'deployments', namespace, 'one')));

      expect((await asBob().get(maps(namespace, 'one'))).code).toBe(403);
    });

    it('of the cluster, bound in a namespace, counts there only', async () => {
      const [inside, outside] = [await world().namespace(), await world().namespace()];
      const name = freshName('wide');
      await admin().create(clusterRolesPath(), roleOf(name, [onMaps('list')], 'ClusterRole'));
      await admin().create(bindingsPath(inside), bindingOf(name, { kind: 'ClusterRole', name }, [bob]));

      await eventually(200, () => asBob().list(maps(inside)));
      const codes = [(await asBob().list(maps(outside))).code, (await asBob().list(maps())).code];

      expect(codes).toEqual([403, 403]);
    });

    it('of the cluster, bound to the cluster, counts everywhere', async () => {
      const namespace = await world().namespace();
      const { client, subject } = await newcomer(world());
      await grantEverywhere(world(), subject, onMaps('list'));

      await eventually(200, () => client.list(maps()));

      expect((await client.list(maps(namespace))).code).toBe(200);
    });

    it('of the cluster may give paths', async () => {
      const { client, subject } = await newcomer(world());
      await grantEverywhere(world(), subject, { nonResourceURLs: ['/metrics', '/nowhere/*'], verbs: ['get'] });

      await eventually(404, () => client.get('/nowhere/deep/down'));

      expect((await client.get('/nowhere')).code).toBe(403);
    });

    it('that is taken away counts no more', async () => {
      const namespace = await world().namespace();
      const name = await grantIn(world(), namespace, bob, onMaps('list'));
      await eventually(200, () => asBob().list(maps(namespace)));

      await admin().delete(bindingsPath(namespace, name));

      await eventually(403, () => asBob().list(maps(namespace)));
    });

    it('that is missing is named to whom it was promised', async () => {
      const namespace = await world().namespace();
      await admin().create(bindingsPath(namespace), bindingOf('lost', { kind: 'Role', name: 'absent' }, [bob]));

      const message = `configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`;
      await expect
        .poll(async () => (await asBob().list(maps(namespace))).body.message, { timeout: 10_000 })
        .toBe(`${message}: RBAC: role.rbac.authorization.k8s.io "absent" not found`);
    });

    it('gives more when it is changed', async () => {
      const namespace = await world().namespace();
      const name = await grantIn(world(), namespace, bob, onMaps('get'));

      await admin().update(rolesPath(namespace, name), roleOf(name, [onMaps('get', 'list')]));

      await eventually(200, () => asBob().list(maps(namespace)));
    });
  });
}
