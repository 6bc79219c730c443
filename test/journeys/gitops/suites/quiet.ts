import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnySchema,
  argoApplications,
  clusterRoleBindings,
  clusterRoles,
  gitOpsDeployments,
  managedEnvironments,
  type ObjectKind,
  repositoryCredentials,
  secrets,
  serviceAccounts,
  syncRuns,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { type OperationType, operationSubject } from '../../../../shared/domain/gitops/names.ts';
import type { Cluster } from '../../../../shared/ports/cluster.ts';
import { argoNamespace, type GitOpsWorld, type Ran } from '../../../support/gitops-world.ts';
import { listObjects } from '../../../support/list-objects.ts';
import type { RunningCluster } from '../../../support/running-cluster.ts';
import { writtenRows } from '../../../support/written-rows.ts';
import { later, runPass } from './drift-pass.ts';
import { openTargetWorld, type TargetWorld } from './managed-environments-world.ts';
import { type PlayedGitHost, startPlayedGitHost } from './played-git-host.ts';
import { openWholeService } from './whole-service.ts';

const knocked: readonly [type: string, kind: ObjectKind][] = [
  ['gitops-deployment.changed.v1', gitOpsDeployments],
  ['managed-environment.changed.v1', managedEnvironments],
  ['repo-credential.changed.v1', repositoryCredentials],
  ['sync-run.changed.v1', syncRuns],
  ['secret.changed.v1', secrets],
];

/** `target` is a cluster to deploy to, as for describeManagedEnvironments. */
export function describeQuiet(open: () => Promise<GitOpsWorld>, target: () => Promise<RunningCluster>): void {
  describe('a second look at everything where nothing has changed', () => {
    let here: TargetWorld;
    let world: GitOpsWorld;
    let host: PlayedGitHost;
    let tenants: readonly string[];

    beforeAll(async () => {
      host = await startPlayedGitHost();
      world = await open();
      here = await openTargetWorld(world, await target());
      tenants = await openWholeService(here, host);
    });
    afterAll(async () => {
      await here?.close();
      await here?.running.stop();
      await world?.close();
      await host?.stop();
    });
    beforeEach(() => {
      world.connection.asked.splice(0);
    });

    /** What was written by an act: requests that change anything, rows, and objects on the cluster deployed to. */
    async function writesOf<Came>(act: () => Promise<Came>) {
      const before = { rows: await writtenRows(world.sql), there: await versionsOf(here.target) };
      world.connection.asked.splice(0);
      const came = await act();
      const requests = world.connection.asked.filter(({ method }) => method !== 'GET');
      const looks = world.connection.asked.length;
      const after = { rows: await writtenRows(world.sql), there: await versionsOf(here.target) };
      return { came, requests, looks, before, after };
    }

    it('RT-08 is a look at something: every function of the service has done its part before, and answered every event', async () => {
      const applications = await namesOf(world.cluster, argoApplications, argoNamespace);
      const [counts] = await world.sql`
        select (select count(*)::int from application) as applications, (select count(*)::int from sync_operation where finished_at is not null) as syncs,
          (select count(*)::int from repository_credentials) as credentials, (select count(*)::int from target_service_account) as accounts,
          (select count(*)::int from operation where state <> 'Completed') as open, (select count(*)::int from application_state) as states,
          (select count(*)::int from knock) as knocks, (select count(*)::int from lease) as leases`;
      const environments = await world.sql`select name from managed_environment where name in ('staging', 'closed')`;

      expect(applications).toHaveLength(4);
      expect(counts).toEqual({
        applications: 4,
        syncs: 1,
        credentials: 1,
        accounts: 1,
        open: 0,
        states: 4,
        knocks: 0,
        leases: 0,
      });
      expect(environments).toEqual([{ name: 'staging' }]);
      expect(world.queue.buried).toEqual([]);
    });

    it('writes nothing to Kubernetes, to Argo CD and to the rows when everybody knocks for everything', async () => {
      const { came, requests, looks, before, after } = await writesOf(async () => {
        await knockForEverything();
        return world.settle();
      });

      expect(requests).toEqual([]);
      expect(after).toEqual(before);
      expect(functionsOf(came)).toEqual([
        'apply-operation',
        'forward-secret',
        'reconcile-gitops-deployment',
        'reconcile-managed-environment',
        'reconcile-repo-credential',
        'report-status',
        'run-sync',
      ]);
      expect(looks).toBeGreaterThan(came.length / 2);
      expect(came.filter(({ outcome }) => outcome.kind === 'stepped' && outcome.effects > 0)).toEqual([]);
    });

    it('writes nothing when everything that waits for a time has its time', async () => {
      const { came, requests, before, after } = await writesOf(async () => {
        await world.wake();
        return world.settle();
      });

      expect(requests).toEqual([]);
      expect(after).toEqual(before);
      expect(functionsOf(came)).toContain('reconcile-repo-credential');
    });

    it('writes nothing when a whole drift pass and a clean-up go over it, hours later', async () => {
      const { came, requests, before, after } = await writesOf(async () => {
        const report = await runPass(world, { ahead: later });
        await world.settle();
        await world.schedule('collect-garbage');
        return { report, ran: await world.settle() };
      });

      expect(requests).toEqual([]);
      expect(after).toEqual(before);
      expect(came.report.findings).toEqual([]);
      expect(came.ran).toEqual([]);
    });

    async function knockForEverything(): Promise<void> {
      for (const namespace of tenants)
        for (const [type, kind] of knocked)
          for (const name of await namesOf(world.cluster, kind, namespace)) world.knock(type, { namespace, name });
      for (const name of await namesOf(world.cluster, argoApplications, argoNamespace))
        world.knock('argo-application.changed.v1', { namespace: argoNamespace, name });
      const stored = await world.sql<{ type: OperationType; id: string; namespace: string }[]>`
        select distinct on (resource_type, resource_id) resource_type as type, resource_id as id, u.display_name as namespace
        from operation o join cluster_user u on u.id = o.owner_user_id`;
      expect(new Set(stored.map(({ type }) => type))).toEqual(
        new Set(['Application', 'ManagedEnvironment', 'RepositoryCredentials', 'SyncOperation']),
      );
      for (const { type, id, namespace } of stored)
        world.knock('operation.requested.v1', operationSubject(namespace, type, id));
    }
  });
}

async function namesOf(cluster: Cluster, kind: ObjectKind, namespace: string): Promise<string[]> {
  const found = (await listObjects(cluster, kind, namespace)) as { metadata: { name: string } }[];
  return found.map(({ metadata }) => metadata.name);
}

interface Listed {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly resourceVersion: string };
}

/** Everything that an environment may have of ours on the cluster it names, with its version. */
async function versionsOf(cluster: Cluster): Promise<string[]> {
  const kinds = [serviceAccounts, secrets, clusterRoles, clusterRoleBindings];
  const found = await Promise.all(kinds.map((kind) => listObjects<AnySchema>(cluster, kind)));
  return (found.flat() as Listed[]).map(
    ({ metadata }) => `${metadata.namespace}/${metadata.name} ${metadata.resourceVersion}`,
  );
}

function functionsOf(ran: readonly Ran[]): string[] {
  return [...new Set(ran.map((one) => one.function))].toSorted();
}
