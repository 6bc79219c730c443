import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyRoles, isAllowed, serviceNamespace } from '../../../support/apply-roles.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';
import {
  askedAbout,
  functionRights,
  hostRights,
  peoplesRights,
  type Rights,
  rightsBesideArgoCd,
  rightsEverywhere,
  verbs,
} from './rbac-table.ts';

interface Account {
  readonly user: string;
  readonly groups: readonly string[];
}

/** What every account may do and may not, by asking the API server about each right there is. */
export function describeRbac(open: () => Promise<GitOpsWorld>): void {
  describe('the roles of infra/kubernetes/rbac', () => {
    let world: GitOpsWorld;
    let tenant: string;
    let other: string;
    let argoNamespace: string;

    beforeAll(async () => {
      world = await open();
      ({ name: tenant } = await world.namespace());
      ({ name: other } = await world.namespace());
      const argoNamespaces = world.world.argoCdNamespaces;
      argoNamespace = argoNamespaces[0] ?? '';
      await applyRoles(world.bare, { argoNamespaces, optional: [] });
      for (const name of Object.keys(peoplesRights)) await give(name, `/namespaces/${tenant}/rolebindings`);
      for (const name of Object.keys(rightsEverywhere)) await give(name, '/clusterrolebindings');
      // An API server takes a moment until it knows a new binding.
      for (const [name, rights] of Object.entries({ ...peoplesRights, ...rightsEverywhere }))
        await until(`${name} to have its role`, () => {
          const [right = ''] = each(rights);
          return may(person(name), right, tenant);
        });
    });
    afterAll(() => world.close());

    async function give(name: string, where: string): Promise<void> {
      const apiGroup = 'rbac.authorization.k8s.io';
      const roleRef = { apiGroup, kind: 'ClusterRole', name: `stagecoach:${name}` };
      const subjects = [{ apiGroup, kind: 'User', name: person(name).user }];
      await world.bare.request(`/apis/${apiGroup}/v1${where}`, {
        method: 'POST',
        body: { metadata: { name }, roleRef, subjects },
      });
    }

    /** One question, `get core secrets` for example. */
    function may({ user, groups }: Account, right: string, namespace: string, name?: string): Promise<boolean> {
      const [verb = '', group = '', whole = ''] = right.split(' ');
      const [resource = '', subresource] = whole.split('/');
      const asked = { verb, group: group === 'core' ? '' : group, resource, subresource, namespace, name };
      return isAllowed(world.bare, { user, groups, ...asked });
    }

    /** All that it may do there, of everything that is asked about. */
    async function rightsOf(account: Account, namespace: string): Promise<string[]> {
      const asked = Object.entries(askedAbout).flatMap(([group, resources]) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group} ${resource}`)),
      );
      const answers = await Promise.all(asked.map((right) => may(account, right, namespace)));
      return asked.filter((_right, at) => answers[at]);
    }

    it.each(Object.keys(functionRights))('%s may do this, and nothing else', async (name) => {
      const own = functionRights[name] ?? [];
      const beside = [...own, ...(rightsBesideArgoCd[name] ?? [])];

      expect(new Set(await rightsOf(service(name), tenant))).toEqual(each(own));
      expect(new Set(await rightsOf(service(name), argoNamespace))).toEqual(each(beside));
    });

    it('the host may do what its functions may, and follow the kinds that they care about', async () => {
      const own = [...hostRights, ...Object.values(functionRights).flat()];

      expect(new Set(await rightsOf(service('stagecoach'), tenant))).toEqual(each(own));
    });

    it.each(Object.keys(peoplesRights))('%s may do this, and nothing elsewhere', async (name) => {
      expect(new Set(await rightsOf(person(name), tenant))).toEqual(each(peoplesRights[name] ?? []));
      expect(await rightsOf(person(name), other)).toEqual([]);
    });

    it.each(Object.keys(rightsEverywhere))('%s may do this everywhere, and nothing else', async (name) => {
      for (const namespace of [tenant, other])
        expect(new Set(await rightsOf(person(name), namespace))).toEqual(each(rightsEverywhere[name] ?? []));
    });

    it('a stranger may do nothing at all', async () => {
      expect(await rightsOf(person('stranger'), tenant)).toEqual([]);
      expect(await rightsOf(service('forward-due'), tenant)).toEqual([]);
    });

    it('provision-space changes only what bears its own names', async () => {
      const account = service('provision-space');
      const rights = [
        'get,patch,bind rbac.authorization.k8s.io roles',
        'get,patch,delete rbac.authorization.k8s.io rolebindings',
        'get core serviceaccounts',
      ];

      for (const right of each(rights)) {
        expect([right, await may(account, right, tenant, 'namespace-manager')]).toEqual([right, true]);
        expect([right, await may(account, right, tenant, 'another')]).toEqual([right, false]);
      }
      expect(await may(account, 'bind rbac.authorization.k8s.io clusterroles', tenant, 'namespace-manager')).toBe(
        false,
      );
      expect(await may(account, 'delete core resourcequotas', tenant, 'wanted-resources')).toBe(true);
      expect(await may(account, 'delete core resourcequotas', tenant, 'another')).toBe(false);
    });

    /** Tries to make something of RBAC in the tenant's namespace; the status of the answer. */
    async function making(account: string, kind: 'Role' | 'RoleBinding', object: object): Promise<number> {
      const apiVersion = 'rbac.authorization.k8s.io/v1';
      const { status } = await world.bare.request(
        `/apis/${apiVersion}/namespaces/${tenant}/${kind.toLowerCase()}s?dryRun=All`,
        {
          method: 'POST',
          headers: { 'impersonate-user': service(account).user },
          body: { apiVersion, kind, ...object },
          accept: [403],
        },
      );
      return status;
    }
    const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    const toRole = (kind: string, name: string) => ({
      metadata: { name: 'any' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
      subjects: [],
    });

    it('provision-space hands out its own Role, and no other and no ClusterRole', async () => {
      const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${tenant}/roles`;
      for (const name of ['namespace-manager', 'another'])
        await world.bare.request(path, { method: 'POST', body: { metadata: { name }, rules: everything } });

      expect(await making('provision-space', 'Role', { metadata: { name: 'any' }, rules: everything })).toBe(201);
      expect(await making('provision-space', 'RoleBinding', toRole('Role', 'namespace-manager'))).toBe(201);
      expect(await making('provision-space', 'RoleBinding', toRole('Role', 'another'))).toBe(403);
      expect(await making('provision-space', 'RoleBinding', toRole('ClusterRole', 'cluster-admin'))).toBe(403);
    });

    it('nobody else hands out anything', async () => {
      const others = Object.keys(functionRights).filter((name) => name !== 'provision-space');

      for (const name of others) {
        expect(await making(name, 'Role', { metadata: { name: 'any' }, rules: [] })).toBe(403);
        expect(await making(name, 'RoleBinding', toRole('Role', 'namespace-manager'))).toBe(403);
      }
    });

    it('escalate for one name alone does not let a Role of that name be made', async () => {
      const apiGroup = 'rbac.authorization.k8s.io';
      const roles = { apiGroups: [apiGroup], resources: ['roles'] };
      const rules = [
        { ...roles, verbs: ['create'] },
        { ...roles, verbs: ['escalate'], resourceNames: ['namespace-manager'] },
      ];
      const subjects = [{ kind: 'ServiceAccount', namespace: serviceNamespace, name: 'by-name' }];
      const root = `/apis/${apiGroup}/v1/namespaces/${tenant}`;
      const metadata = { name: 'by-name' };
      await world.bare.request(`${root}/roles`, { method: 'POST', body: { metadata, rules } });
      const roleRef = { apiGroup, kind: 'Role', ...metadata };
      await world.bare.request(`${root}/rolebindings`, { method: 'POST', body: { metadata, roleRef, subjects } });
      const account = service('by-name');
      await until('the role to be known', () => may(account, `create ${apiGroup} roles`, tenant));

      expect(await may(account, `escalate ${apiGroup} roles`, tenant, 'namespace-manager')).toBe(true);
      expect(await making('by-name', 'Role', { metadata: { name: 'namespace-manager' }, rules: everything })).toBe(403);
    });
  });
}

function service(name: string): Account {
  const user = `system:serviceaccount:${serviceNamespace}:${name}`;
  return {
    user,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${serviceNamespace}`, 'system:authenticated'],
  };
}

function person(name: string): Account {
  return { user: `${name}@example.com`, groups: ['system:authenticated'] };
}

/** `get,list core secrets namespaces` one by one. */
function each(rights: Rights): Set<string> {
  return new Set(
    rights.flatMap((line) => {
      const [which = '', group = '', ...resources] = line.split(' ');
      return which.split(',').flatMap((verb) => resources.map((resource) => `${verb} ${group} ${resource}`));
    }),
  );
}
