import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  namespaces,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  spaceRequests,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openSpaceTenant, readyOf } from './spaces-tenant.ts';

const manager = 'namespace-manager';

export function describeSpaces(open: () => Promise<GitOpsWorld>): void {
  describe('a SpaceRequest where no toolchain operator runs', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    }, 180_000);
    afterAll(() => world.close());

    it('Q01 is given a namespace of its own, which says whose it is, and holds on to it', async () => {
      const tenant = await openSpaceTenant(world);

      const asked = await tenant.ask();
      const request = await tenant.untilReady();

      const name = `${tenant.namespace.name}-${asked.metadata.uid.slice(0, 5)}`;
      const made = await world.cluster.read(namespaces, { namespace: '', name });
      expect(made?.metadata).toMatchObject({
        labels: {
          'toolchain.dev.openshift.com/spacerequest': 'dev',
          'toolchain.dev.openshift.com/spacerequest-namespace': tenant.namespace.name,
          'toolchain.dev.openshift.com/parent-space': tenant.namespace.name,
        },
        annotations: { 'stagecoach.dev/space-request-uid': asked.metadata.uid },
      });
      expect(request.metadata.finalizers).toEqual(['finalizer.toolchain.dev.openshift.com']);
      expect(request.metadata.annotations).not.toHaveProperty('stagecoach.dev/granted-resources');
    });

    it('Q03, Q05 is Ready with the address of its own cluster, the namespace and a Secret whose kubeconfig opens it', async () => {
      const tenant = await openSpaceTenant(world);

      const asked = await tenant.ask();
      const request = await tenant.untilReady();

      const five = asked.metadata.uid.slice(0, 5);
      const place = `${tenant.namespace.name}-${five}`;
      expect(request.status).toMatchObject({
        targetClusterURL: world.connection.server,
        namespaceAccess: [{ name: place, secretRef: `dev-${five}` }],
        conditions: [{ type: 'Ready', status: 'True', reason: 'Provisioned', message: '' }],
      });
      expect(Date.parse(readyOf(request)?.lastTransitionTime ?? '')).not.toBeNaN();
      const secret = await world.cluster.read(secrets, { namespace: tenant.namespace.name, name: `dev-${five}` });
      expect(secret).toMatchObject({
        type: 'Opaque',
        metadata: {
          labels: {
            'toolchain.dev.openshift.com/spacerequest': 'dev',
            'toolchain.dev.openshift.com/spacerequest-provisioned-namespace': place,
          },
          ownerReferences: [{ kind: 'SpaceRequest', name: 'dev', uid: asked.metadata.uid }],
        },
      });
      expect(Object.keys(secret?.data ?? {})).toEqual(['kubeconfig']);
      const kubeconfig = await tenant.kubeconfig();
      const authority = await world.connection.certificateAuthority();
      expect(kubeconfig).toMatchObject({
        'current-context': 'default-context',
        contexts: [
          { name: 'default-context', context: { cluster: 'default-cluster', namespace: place, user: manager } },
        ],
        users: [{ name: manager }],
      });
      expect(kubeconfig.clusters).toEqual([
        {
          name: 'default-cluster',
          cluster: {
            server: world.connection.server,
            ...(authority !== undefined && {
              'certificate-authority-data': Buffer.from(authority).toString('base64'),
            }),
          },
        },
      ]);
      expect(await whoIs(world, kubeconfig.users[0]?.user.token)).toBe(`system:serviceaccount:${place}:${manager}`);
    });

    it('Q08 has one namespace and one Secret, and a later look writes nothing at all', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      await tenant.untilReady();

      expect(await tenant.lookAgain()).toEqual([]);

      expect(await tenant.places()).toHaveLength(1);
      expect(await tenant.openers()).toHaveLength(1);
    });

    it('Q07 has its Secret again under the same name when somebody deleted it', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      const before = await tenant.untilReady();
      const key = { namespace: tenant.namespace.name, name: before.status?.namespaceAccess[0]?.secretRef ?? '' };
      const kubeconfig = await tenant.kubeconfig();
      await world.cluster.remove(secrets, key);

      await tenant.lookAgain();

      expect(await tenant.kubeconfig()).toEqual(kubeconfig);
      expect((await tenant.read())?.status).toEqual(before.status);
      expect(await tenant.openers()).toHaveLength(1);
    });

    it('Q07 has the words of its Secret again when somebody wrote others into it', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      const { status } = await tenant.untilReady();
      const kubeconfig = await tenant.kubeconfig();
      const key = { namespace: tenant.namespace.name, name: status?.namespaceAccess[0]?.secretRef ?? '' };
      await world.cluster.patch(secrets, key, { data: { kubeconfig: 'bm90aGluZw==' } });

      await tenant.lookAgain();

      expect(await tenant.kubeconfig()).toEqual(kubeconfig);
    });

    it('Q20 has its namespace again, with new credentials in the same Secret, when somebody deleted it', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      const before = await tenant.untilReady();
      const old = (await tenant.places())[0]?.metadata;
      const { users: oldUsers } = await tenant.kubeconfig();
      await world.cluster.remove(namespaces, { namespace: '', name: old?.name ?? '' });

      world.knock('space-request.changed.v1', tenant.key);
      await tenant.until('another namespace of the same name', async () => {
        const [place] = await tenant.places();
        return place !== undefined && place.metadata.uid !== old?.uid;
      });
      const request = await tenant.untilReady();

      expect(request.status?.namespaceAccess).toEqual(before.status?.namespaceAccess);
      const { users } = await tenant.kubeconfig();
      expect(users[0]?.user.token).not.toBe(oldUsers[0]?.user.token);
      expect(await whoIs(world, users[0]?.user.token)).toBe(`system:serviceaccount:${old?.name}:${manager}`);
    });

    it('writes the new token into the kubeconfig when the account was made anew', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      const { status } = await tenant.untilReady();
      const place = status?.namespaceAccess[0]?.name ?? '';
      const { users: old } = await tenant.kubeconfig();
      await world.cluster.remove(serviceAccounts, { namespace: place, name: manager });

      world.knock('space-request.changed.v1', tenant.key);
      const fresh = await tenant.until('another token that works', async () => {
        const { users } = await tenant.kubeconfig();
        const token = users[0]?.user.token;
        return token !== old[0]?.user.token && (await whoIs(world, token)) !== undefined && token;
      });

      expect(await whoIs(world, fresh)).toBe(`system:serviceaccount:${place}:${manager}`);
      await tenant.untilReady();
      expect(await tenant.openers()).toHaveLength(1);
    });

    it.each([
      ['unknown', 'base1ns', 'There is no tier "base1ns": choose one of appstudio-env.'],
      ['blank', ' ', 'No tier is named: choose one of appstudio-env.'],
    ])('Q11 with a tier that is %s says which there are, and nothing is made', async (_what, tierName, message) => {
      const tenant = await openSpaceTenant(world);

      await tenant.ask({ tierName });
      await world.settle();

      const request = await tenant.read();
      expect(readyOf(request)).toMatchObject({ status: 'False', reason: 'UnableToProvision', message });
      expect(request?.metadata.finalizers).toEqual([]);
      expect(await tenant.places()).toEqual([]);
      expect(await tenant.lookAgain()).toEqual([]);

      await world.cluster.patch(spaceRequests, tenant.key, { spec: { tierName: 'appstudio-env' } });
      await tenant.untilReady();
    });

    it('is given its Role and its binding back when somebody changed or deleted them', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      const { status } = await tenant.untilReady();
      const key = { namespace: status?.namespaceAccess[0]?.name ?? '', name: manager };
      const role = await world.cluster.read(roles, key);
      const binding = await world.cluster.read(roleBindings, key);
      await world.cluster.patch(roles, key, { rules: [] });
      await world.cluster.remove(roleBindings, key);

      await tenant.lookAgain();

      expect((await world.cluster.read(roles, key))?.rules).toEqual(role?.rules);
      const restored = await world.cluster.read(roleBindings, key);
      expect({ ...restored, metadata: undefined }).toEqual({ ...binding, metadata: undefined });

      await world.cluster.patch(roleBindings, key, {
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: key.namespace }],
      });
      await tenant.lookAgain();

      expect((await world.cluster.read(roleBindings, key))?.subjects).toEqual(binding?.subjects);
    });
  });
}

/** Whose token it is; undefined: nobody's. */
async function whoIs({ bare }: GitOpsWorld, token: string | undefined): Promise<string | undefined> {
  const { body } = await bare.request('/apis/authentication.k8s.io/v1/tokenreviews', {
    method: 'POST',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } },
  });
  return (body as { status?: { user?: { username?: string } } }).status?.user?.username;
}
