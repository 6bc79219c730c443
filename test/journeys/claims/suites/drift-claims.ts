import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  claims,
  environments,
  managedEnvironments,
  spaceRequests,
  targets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../../../shared/ports/cluster.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import type { RunningCluster } from '../../../support/running-cluster.ts';
import { foundAbout, keepKnocks, later, runPass } from '../../gitops/suites/drift-pass.ts';
import { openTargetWorld, type TargetWorld } from '../../gitops/suites/managed-environments-world.ts';
import { decoded, type EnvironmentHands, openEnvironmentHands } from './environments-world.ts';

const access = {
  defaultNamespace: 'team-dev',
  apiURL: 'https://127.0.0.1:1',
  clusterCredentialsSecret: 'dev-secret',
  allowInsecureSkipTLSVerify: false,
};

/**
 * Claims, targets, environments and SpaceRequests of which an event got lost: the next drift pass makes up for it. `target`
 * is a cluster to deploy to, as for describeManagedEnvironments.
 */
export function describeClaimsDrift(open: () => Promise<GitOpsWorld>, target: () => Promise<RunningCluster>): void {
  describe('what nobody was told about claims and environments', () => {
    let world: GitOpsWorld;
    let hands: EnvironmentHands;
    /** Whose writes nobody hears of. */
    let silent: Cluster;
    let here: TargetWorld;
    beforeAll(async () => {
      world = await open();
      silent = openCluster({ connection: world.bare });
      here = await openTargetWorld(world, await target());
    });
    afterAll(async () => {
      await here?.close();
      await here?.running.stop();
      await world?.close();
    });
    beforeEach(async () => {
      hands = await openEnvironmentHands(world);
    });

    /** A pass some time later, and everybody whom it told; what it found about this test's namespace. */
    async function pass(): Promise<string[]> {
      const report = await runPass(world, { ahead: later });
      keepKnocks(world, hands.namespace);
      await world.settle();
      return foundAbout(report, hands.namespace);
    }

    const found = (...what: readonly string[]) =>
      what.map((one) => one.replace(' ', ` ${hands.namespace}/`)).toSorted();
    const key = (name: string) => ({ namespace: hands.namespace, name });
    const theClaim = (name = 'dev-dtc') => silent.read(claims, key(name));

    function makeTarget(by: Cluster, spec: object = {}) {
      return by.create(targets, {
        metadata: key('dev-dt'),
        spec: { deploymentTargetClassName: '', kubernetesCredentials: access, ...spec },
      });
    }

    function makeClaim(by: Cluster, spec: object = {}) {
      return by.create(claims, { metadata: key('dev-dtc'), spec: { deploymentTargetClassName: '', ...spec } });
    }

    async function bound(): Promise<void> {
      await makeTarget(world.cluster);
      await makeClaim(world.cluster);
      await hands.settle();
      expect((await theClaim())?.status?.phase).toBe('Bound');
    }

    it('a claim and a target that were made are found, and become a pair', async () => {
      await makeTarget(silent);
      await makeClaim(silent);

      expect(await pass()).toEqual(found('ChangeUnseen dev-dtc', 'ResourceWithoutRows dev-dt'));

      expect((await theClaim())?.status?.phase).toBe('Bound');
      expect(await pass()).toEqual([]);
    });

    it('a claim that was deleted goes, and its target is Released', async () => {
      await bound();
      await silent.remove(claims, key('dev-dtc'));

      await pass();

      expect(await theClaim()).toBeUndefined();
      expect((await silent.read(targets, key('dev-dt')))?.status?.phase).toBe('Released');
    });

    it('a target that is gone makes its claim Lost', async () => {
      await bound();
      await silent.remove(targets, key('dev-dt'));

      expect(await pass()).toEqual(found('ResourceGone dev-dt'));

      expect((await theClaim())?.status?.phase).toBe('Lost');
      expect(await world.sql`select from deployment_target where namespace = ${hands.namespace}`).toHaveLength(0);
    });

    it('a target that grew goes to the claim that waits for it', async () => {
      await makeTarget(world.cluster, { resources: { requests: { cpu: '1' } } });
      await makeClaim(world.cluster, { resources: { requests: { cpu: '2' } } });
      await hands.settle();
      await silent.patch(targets, key('dev-dt'), { spec: { resources: { requests: { cpu: '2' } } } });

      await pass();

      expect((await theClaim())?.status?.phase).toBe('Bound');
    });

    it('a claim that waits, and whose wait got lost, is looked at again', async () => {
      await makeClaim(world.cluster, { targetName: 'dev-dt' });
      await hands.settle();
      await world.sql`delete from wakeup where subject like ${`${hands.namespace}/%`}`;
      await makeTarget(silent);
      await world.sql`delete from waiting_claim where namespace = ${hands.namespace}`;

      await pass();

      expect((await theClaim())?.status?.phase).toBe('Bound');
    });

    it('a SpaceRequest that was made, and one that was deleted, are seen to', async () => {
      await silent.create(spaceRequests, { metadata: key('dev'), spec: { tierName: 'nowhere' } });
      expect(await pass()).toEqual(found('ChangeUnseen dev'));
      expect((await silent.read(spaceRequests, key('dev')))?.status?.conditions).toMatchObject([
        { type: 'Ready', reason: 'UnableToProvision' },
      ]);

      await silent.patch(spaceRequests, key('dev'), {
        metadata: { finalizers: ['finalizer.toolchain.dev.openshift.com'] },
      });
      await silent.remove(spaceRequests, key('dev'));
      await pass();

      expect(await silent.read(spaceRequests, key('dev'))).toBeUndefined();
    });

    describe('of an Environment', () => {
      /** It has its place, Argo CD may deploy there, and nobody waits for anything any more. */
      async function ready(): Promise<void> {
        await place();
        await hands.create('dev', hands.at('dev-dtc'));
        await hands.settle();
        expect((await hands.conditions('dev'))['TargetReady']).toBe('True/Connected/');
        expect(decoded(await hands.copy('dev'))).toBe(here.kubeconfig());
        expect(await world.sql`select from wakeup where subject = ${`${hands.namespace}/dev`}`).toHaveLength(0);
      }

      async function place(): Promise<void> {
        await hands.putSecret('dev-secret', here.kubeconfig());
        await hands.bind({ apiURL: here.running.url, defaultNamespace: 'default' });
      }

      it('that it was made: it gets its place', async () => {
        await place();
        await hands.settle();
        await silent.create(environments, {
          metadata: key('dev'),
          spec: { displayName: 'dev', deploymentStrategy: 'Manual', ...hands.at('dev-dtc') },
        });

        expect(await pass()).toEqual(found('ResourceWithoutRows dev'));

        expect(await hands.managed('dev')).toBeDefined();
      });

      it('that it was changed: it follows', async () => {
        await ready();
        await silent.patch(environments, key('dev'), { spec: { configuration: null } });

        expect(await pass()).toEqual(found('ChangeUnseen dev'));

        expect(await hands.managed('dev')).toBeUndefined();
        expect(await hands.copy('dev')).toBeUndefined();
      });

      it('that it is gone: nothing of it is remembered', async () => {
        await ready();
        await silent.remove(environments, key('dev'));

        expect(await pass()).toContain(`ResourceGone ${hands.namespace}/dev`);

        expect(await hands.uses('dev')).toBeUndefined();
        expect(await hands.managed('dev')).toBeUndefined();
      });

      it('that its managed environment was deleted: it is there again', async () => {
        await ready();
        await silent.remove(managedEnvironments, key('managed-environment-dev'));

        expect(await pass()).toEqual(found('ResourceGone dev', 'ResourceGone managed-environment-dev'));

        expect(await hands.managed('dev')).toBeDefined();
      });

      it('that its managed environment was changed: it is as it should be', async () => {
        await ready();
        await silent.patch(managedEnvironments, key('managed-environment-dev'), {
          spec: { apiURL: 'https://elsewhere.example' },
        });

        await pass();

        expect((await hands.managed('dev'))?.spec.apiURL).toBe(here.running.url);
      });
    });
  });
}
