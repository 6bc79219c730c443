import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reconcileDrift } from '../../../../functions/reconcile-drift/index.ts';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  clusterRoles,
  gitOpsDeployments,
  namespaces,
  type ObjectKind,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../../../shared/ports/cluster.ts';
import type { PassReport } from '../../../../shared/ports/drift-passes.ts';
import { Transient } from '../../../../shared/ports/trouble.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { foundAbout, runPass } from './drift-pass.ts';
import { makeApplicationRows, makeTenant, makeUnnoticed } from './drift-tenant.ts';

const deploymentSpec = { source: { repoURL: 'https://git.example.test/team/app', path: 'deploy' }, type: 'automated' };
const configMaps = core('ConfigMap', 'configmaps');
const claims = core('PersistentVolumeClaim', 'persistentvolumeclaims');

function core(kind: string, plural: string): ObjectKind {
  return {
    group: '',
    version: 'v1',
    kind,
    plural,
    namespaced: true,
    Schema: z.looseObject({ metadata: z.looseObject({ uid: z.string() }) }),
  };
}

/** What is left of deployments that are gone, in namespaces whose names end with the suffix of the setting. */
export function describeDriftOrphans(open: () => Promise<GitOpsWorld>): void {
  describe('a drift pass over what is left of deployments', () => {
    let world: GitOpsWorld;
    let hands: Cluster;
    /** One of its own, so that nothing of others that share the API server is touched. */
    const suffix = `-${randomBytes(3).toString('hex')}-tenant`;

    beforeAll(async () => {
      world = await open();
      hands = openCluster({ connection: world.bare });
    });
    beforeEach(() => {
      world.connection.trouble = undefined;
    });
    afterAll(() => world.close());

    function tidying(orphanNamespaceSuffix = suffix): GitOpsWorld {
      const upkeep = { ...world.world.upkeep, orphanNamespaceSuffix };
      const changed = { ...world.world, upkeep };
      return { ...world, world: changed, machine: { ...world.machine, world: changed } };
    }

    async function aNamespace(start = 'jane', end = suffix): Promise<string> {
      const name = `${start}-${randomBytes(4).toString('hex')}${end}`;
      await hands.create(namespaces, { metadata: { name } });
      return name;
    }

    async function leave(namespace: string, label: string, kind = configMaps, more: object = {}): Promise<string> {
      const name = `left-${randomBytes(4).toString('hex')}`;
      const metadata = { name, namespace, labels: { 'app.kubernetes.io/instance': label }, ...more };
      const spec = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
      };
      await makeUnnoticed(world, kind, { metadata, ...(kind === claims && { spec }) });
      return name;
    }

    async function isLeft(namespace: string, name: string, kind = configMaps): Promise<boolean> {
      return (await hands.read(kind, { namespace, name })) !== undefined;
    }

    function linesAbout(report: PassReport, namespace: string): string[] {
      return foundAbout(report, namespace).filter((line) => line.startsWith('OrphanDeleted'));
    }

    it('CR-02 deletes what is labelled for a GitOpsDeployment that is gone, with a line for each', async () => {
      const namespace = await aNamespace();
      const [one, other] = [await leave(namespace, `gitopsdepl-${randomUUID()}`), await leave(namespace, 'helm')];

      const report = await runPass(tidying());

      expect(await isLeft(namespace, one)).toBe(false);
      expect(linesAbout(report, namespace)).toEqual([`OrphanDeleted ${namespace}/configmaps/${one}`]);
      // CR-04
      expect(await isLeft(namespace, other)).toBe(true);
    });

    it('deletes only the very object that it has seen', async () => {
      const namespace = await aNamespace();
      const name = await leave(namespace, `gitopsdepl-${randomUUID()}`);
      const { remove } = world.world.apiResources;
      const watching = tidying();
      const apiResources = {
        ...world.world.apiResources,
        // As if it had been made again since it was listed.
        remove: (...[kind, object, signal]: Parameters<typeof remove>) =>
          remove(kind, { ...object, uid: randomUUID() }, signal),
      };
      const machine = { ...watching.machine, world: { ...watching.world, apiResources } };

      const report = await runPass({ ...watching, machine });

      expect(linesAbout(report, namespace)).toHaveLength(1);
      expect(await isLeft(namespace, name)).toBe(true);
    });

    it('CR-03 keeps what is labelled for a GitOpsDeployment that lives, also in another namespace', async () => {
      const [namespace, elsewhere] = [await aNamespace(), await aNamespace()];
      const metadata = { name: 'web', namespace };
      const { uid } = await makeUnnoticed(world, gitOpsDeployments, { metadata, spec: deploymentSpec });
      const [here, there] = [await leave(namespace, `gitopsdepl-${uid}`), await leave(elsewhere, `gitopsdepl-${uid}`)];

      await runPass(tidying());

      expect(await isLeft(namespace, here)).toBe(true);
      expect(await isLeft(elsewhere, there)).toBe(true);
    });

    it('keeps it as long as the deployment has rows: its Argo CD takes it away', async () => {
      const namespace = await aNamespace();
      const id = await makeApplicationRows(world, await makeTenant(world));
      const name = await leave(namespace, `gitopsdepl-${id}`);

      await runPass(tidying());

      expect(await isLeft(namespace, name)).toBe(true);
    });

    it('CR-05 CR-07 CR-08 CR-09 CR-10 keeps what is not its business', async () => {
      const [namespace, platform, elsewhere] = [
        await aNamespace(),
        await aNamespace('openshift'),
        await aNamespace('jane', '-other'),
      ];
      const gone = `gitopsdepl-${randomUUID()}`;
      const malformed = await leave(namespace, 'gitopsdepl-not-an-uid');
      const claim = await leave(namespace, gone, claims);
      const ofThePlatform = await leave(platform, gone);
      const ofSomebodyElse = await leave(elsewhere, gone);
      const role = `left-${randomBytes(4).toString('hex')}${suffix}`;
      await makeUnnoticed(world, clusterRoles, {
        metadata: { name: role, labels: { 'app.kubernetes.io/instance': gone } },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
      });

      const report = await runPass(tidying());

      expect(await isLeft(namespace, malformed)).toBe(true);
      expect(await isLeft(namespace, claim, claims)).toBe(true);
      expect(await isLeft(platform, ofThePlatform)).toBe(true);
      expect(await isLeft(elsewhere, ofSomebodyElse)).toBe(true);
      expect(await hands.read(clusterRoles, { namespace: '', name: role })).toBeDefined();
      expect(foundAbout(report, suffix, elsewhere).filter((line) => line.startsWith('OrphanDeleted'))).toEqual([]);
      await hands.remove(clusterRoles, { namespace: '', name: role });
    });

    it('CR-06 does not touch what is being deleted', async () => {
      const namespace = await aNamespace();
      const finalizers = { finalizers: ['example.test/hold'] };
      const name = await leave(namespace, `gitopsdepl-${randomUUID()}`, configMaps, finalizers);
      await hands.remove(configMaps, { namespace, name });

      const report = await runPass(tidying());

      expect(linesAbout(report, namespace)).toEqual([]);
      await hands.patch(configMaps, { namespace, name }, { metadata: { finalizers: null } });
    });

    it('is off without the setting', async () => {
      const namespace = await aNamespace();
      const name = await leave(namespace, `gitopsdepl-${randomUUID()}`);

      const report = await runPass(tidying(''));

      expect(await isLeft(namespace, name)).toBe(true);
      expect(report.state.parts.orphans).toMatchObject({ done: true, looked: 0, skipped: expect.any(String) });
    });

    it('deletes nothing where GitOpsDeployments cannot be listed, and says so', async () => {
      const namespace = await aNamespace();
      const name = await leave(namespace, `gitopsdepl-${randomUUID()}`);
      world.connection.trouble = ({ path }) =>
        path.includes('/gitopsdeployments') ? new Transient('cluster', 'they are away') : undefined;

      const report = await runPass(tidying());

      expect(await isLeft(namespace, name)).toBe(true);
      expect(report.state.parts.orphans.trouble).toContain('nothing is deleted: they are away');
    });

    it('looks at the other kinds where one cannot be listed, and says so', async () => {
      const namespace = await aNamespace();
      const name = await leave(namespace, `gitopsdepl-${randomUUID()}`);
      world.connection.trouble = ({ path }) =>
        path.startsWith('/api/v1/secrets') ? new Transient('cluster', 'Secrets are away') : undefined;

      const report = await runPass(tidying());

      expect(await isLeft(namespace, name)).toBe(false);
      expect(report.state.parts.orphans.trouble).toContain('secrets: Secrets are away');
    });

    it('goes on behind the object that was looked at last', async () => {
      const namespace = await aNamespace();
      const names = [
        await leave(namespace, `gitopsdepl-${randomUUID()}`),
        await leave(namespace, `gitopsdepl-${randomUUID()}`),
      ];
      const [first = '', second = ''] = names.toSorted();
      await world.world.driftPasses.begin('a test');
      const state = { parts: { orphans: { done: false, after: `/configmaps ${namespace}/${first}`, looked: 1 } } };
      await world.sql`update drift_pass set parts = ${JSON.stringify(state)}::text::jsonb where ended_at is null`;

      const report = await runPass(tidying());

      expect(linesAbout(report, namespace)).toEqual([`OrphanDeleted ${namespace}/configmaps/${second}`]);
      expect(await isLeft(namespace, first)).toBe(true);
    });

    it('looks every two hours at most, and always where an operator asks', async () => {
      const { machine } = tidying();
      const due = async () => {
        await world.sql`update drift_pass set began_at = began_at - interval '31 minutes'`;
        await reconcileDrift.tick(machine);
        const [last] = await world.world.driftPasses.latest(1);
        expect(last?.endedAt).toBeDefined();
        return last?.state.parts.orphans.skipped === undefined;
      };
      await runPass(tidying());

      expect([await due(), await due(), await due(), await due(), await due()]).toEqual([
        false,
        false,
        false,
        true,
        false,
      ]);
      expect((await runPass(tidying())).state.parts.orphans.skipped).toBeUndefined();
    });
  });
}
