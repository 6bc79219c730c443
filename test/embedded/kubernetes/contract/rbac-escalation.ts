import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiWorld, freshName } from '../../../support/api-world.ts';
import { alice, bindingOf, bindingsPath, eventually, grantIn, type Rule, roleOf, rolesPath } from './rbac-grants.ts';

const group = 'rbac.authorization.k8s.io';
const onMaps = (...verbs: string[]): Rule => ({ apiGroups: [''], resources: ['configmaps'], verbs });
const toAlice =
  'user "alice" (groups=["tenants" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:';

export function describeRbacEscalation(world: () => ApiWorld): void {
  const admin = () => world().client();
  const asAlice = () => world().client('alice-token');

  /** A namespace where alice may write roles and holds get and list of config maps herself. */
  async function office(...more: Rule[]): Promise<string> {
    const namespace = await world().namespace();
    const verbs = ['get', 'create', 'update', 'patch', 'delete'];
    const writing = { apiGroups: [group], resources: ['roles', 'rolebindings'], verbs };
    await grantIn(world(), namespace, alice, writing, onMaps('get', 'list'), ...more);
    await eventually(404, () => asAlice().get(rolesPath(namespace, 'absent')));
    return namespace;
  }

  describe('somebody who may write roles', () => {
    let namespace: string;

    beforeAll(async () => {
      namespace = await office();
    });

    it('may grant what they hold', async () => {
      const { code } = await asAlice().create(rolesPath(namespace), roleOf('less', [onMaps('get')]));

      expect(code).toBe(201);
    });

    it('may not grant what they lack, and is told all of it', async () => {
      const more = roleOf('more', [
        { apiGroups: [''], resources: ['secrets', 'configmaps'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['x'], verbs: ['get'] },
      ]);

      const { code, body } = await asAlice().create(rolesPath(namespace), more);

      expect([code, body.reason]).toEqual([403, 'Forbidden']);
      expect(body.message.split('\n')).toEqual([
        `roles.${group} "more" is forbidden: ${toAlice}`,
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["watch"]}',
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list" "watch"]}',
        '{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["x"], Verbs:["get"]}',
      ]);
    });

    it('may not add it to a role later', async () => {
      await admin().create(rolesPath(namespace), roleOf('grown', [onMaps('get')]));

      const patch = [{ op: 'add', path: '/rules/0/verbs/-', value: 'delete' }];
      const { code, body } = await asAlice().patch(rolesPath(namespace, 'grown'), 'json', patch);

      expect(code).toBe(403);
      expect(body.message).toBe(
        `roles.${group} "grown" is forbidden: ${toAlice}\n{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}`,
      );
    });

    it('may bind a role that holds no more than they do', async () => {
      await admin().create(rolesPath(namespace), roleOf('weak', [onMaps('list')]));

      const binding = bindingOf(freshName('b'), { kind: 'Role', name: 'weak' }, [{ kind: 'Group', name: 'others' }]);
      const { code } = await asAlice().create(bindingsPath(namespace), binding);

      expect(code).toBe(201);
    });

    it('may not bind a stronger one', async () => {
      await admin().create(rolesPath(namespace), roleOf('strong', [onMaps('*')]));

      const binding = bindingOf('strong', { kind: 'Role', name: 'strong' }, [alice]);
      const { code, body } = await asAlice().create(bindingsPath(namespace), binding);

      expect(code).toBe(403);
      expect(body.message).toBe(
        `rolebindings.${group} "strong" is forbidden: ${toAlice}\n{APIGroups:[""], Resources:["configmaps"], Verbs:["*"]}`,
      );
    });

    it('may not bind the strongest of all', async () => {
      const binding = bindingOf('all', { kind: 'ClusterRole', name: 'cluster-admin' }, [alice]);

      const { code, body } = await asAlice().create(bindingsPath(namespace), binding);

      expect([code, body.message.split('\n').slice(1)]).toEqual([
        403,
        ['{APIGroups:["*"], Resources:["*"], Verbs:["*"]}', '{NonResourceURLs:["*"], Verbs:["*"]}'],
      ]);
    });

    it('may not bind a role that is not there yet', async () => {
      const binding = bindingOf('early', { kind: 'Role', name: 'absent' }, [alice]);

      const { code } = await asAlice().create(bindingsPath(namespace), binding);

      expect(code).toBe(404);
    });
  });

  describe('somebody who may also', () => {
    it('escalate may grant what they lack', async () => {
      const namespace = await office({ apiGroups: [group], resources: ['roles'], verbs: ['escalate'] });

      const role = roleOf('more', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]);
      await eventually(201, () => asAlice().create(rolesPath(namespace), role));
    });

    it('bind one role may bind that one', async () => {
      const namespace = await office({
        apiGroups: [group],
        resources: ['roles'],
        resourceNames: ['strong'],
        verbs: ['bind'],
      });
      const secrets = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
      await admin().create(rolesPath(namespace), roleOf('strong', [onMaps('*')]));
      await admin().create(rolesPath(namespace), roleOf('other', secrets));

      const one = bindingOf('one', { kind: 'Role', name: 'strong' }, [alice]);
      await eventually(201, () => asAlice().create(bindingsPath(namespace), one));
      const two = bindingOf('two', { kind: 'Role', name: 'other' }, [alice]);

      await eventually(403, () => asAlice().create(bindingsPath(namespace), two));
    });
  });

  describe('roles and bindings', () => {
    it('keep the role they were made for', async () => {
      const namespace = await world().namespace();
      await admin().create(bindingsPath(namespace), bindingOf('kept', { kind: 'Role', name: 'a' }, [alice]));

      const roleRef = { roleRef: { name: 'b' } };
      const { code, body } = await admin().patch(bindingsPath(namespace, 'kept'), 'merge', roleRef);

      expect([code, body.message]).toEqual([
        422,
        `RoleBinding.${group} "kept" is invalid: roleRef: Invalid value: {"APIGroup":"${group}","Kind":"Role","Name":"b"}: cannot change roleRef`,
      ]);
    });

    it('may change whom they are for', async () => {
      const namespace = await world().namespace();
      await admin().create(bindingsPath(namespace), bindingOf('moved', { kind: 'Role', name: 'a' }, [alice]));

      const subjects = [{ kind: 'Group', name: 'tenants' }];
      const { code, body } = await admin().patch(bindingsPath(namespace, 'moved'), 'merge', { subjects });

      expect(code).toBe(200);
      expect(body['subjects']).toEqual([{ kind: 'Group', apiGroup: group, name: 'tenants' }]);
    });

    it.each([
      [
        'a rule without verbs',
        { apiGroups: [''], resources: ['x'], verbs: [] },
        'rules[0].verbs: Required value: verbs must contain at least one value',
      ],
      [
        'paths in a namespace',
        { nonResourceURLs: ['/x'], verbs: ['get'] },
        'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
      ],
    ])('are refused for %s', async (_what, rule, problem) => {
      const namespace = await world().namespace();

      const { code, body } = await admin().create(rolesPath(namespace), roleOf('bad', [rule]));

      expect([code, body.message]).toEqual([422, `Role.${group} "bad" is invalid: ${problem}`]);
    });

    it('are refused for a subject of an unknown kind', async () => {
      const namespace = await world().namespace();
      const binding = {
        ...bindingOf('bad', { kind: 'Role', name: 'a' }, []),
        subjects: [{ kind: 'Robot', name: 'r' }],
      };

      const { code, body } = await admin().create(bindingsPath(namespace), binding);

      expect([code, body.message]).toEqual([
        422,
        `RoleBinding.${group} "bad" is invalid: subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"`,
      ]);
    });
  });
}
