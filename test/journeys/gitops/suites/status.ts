import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unpackStatus } from '../../../../shared/adapters/postgres/gitops/packed-status.ts';
import { argoApplications, gitOpsDeployments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { type PlayedDeployment, playDeployment, rehearse, report } from '../../../support/played-argo.ts';
import { until } from '../../../support/until.ts';

const synced = {
  sync: {
    status: 'Synced',
    revision: 'c0ffee',
    comparedTo: {
      source: { repoURL: 'https://git.example/guestbook', path: 'deploy', targetRevision: 'main' },
      destination: { name: 'in-cluster', namespace: 'team-a' },
    },
  },
  health: { status: 'Healthy' },
  resources: [{ version: 'v1', kind: 'Service', namespace: 'team-a', name: 'web', status: 'Synced' }],
  reconciledAt: '2026-03-01T10:00:00Z',
};
const operationState = {
  operation: { sync: { revision: 'c0ffee', prune: true }, retry: { limit: 5 } },
  phase: 'Succeeded',
  message: 'successfully synced',
  startedAt: '2026-03-01T10:00:00Z',
  finishedAt: '2026-03-01T10:00:05Z',
  syncResult: { revision: 'c0ffee', source: { repoURL: 'https://git.example/guestbook' } },
};

/** Status up: what Argo CD says about an Application, on its GitOpsDeployment. Nobody but report-status is run. */
export function describeStatus(open: () => Promise<GitOpsWorld>): void {
  describe('status up', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(() => {
      world.queue.sent.length = 0;
    });

    async function kept(id: string): Promise<Record<string, unknown> | undefined> {
      const [row] = await world.sql<{ packed: Uint8Array }[]>`
        select argocd_application_status as packed from application_state where application_id = ${id}`;
      const text = unpackStatus(row?.packed ?? null);
      return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
    }
    /** Writes to the API server, and to the kept status, that a piece of work makes. */
    async function writesOf(played: PlayedDeployment, work: () => Promise<unknown>): Promise<number> {
      const stamp = () => world.sql`select xmin::text from application_state where application_id = ${played.id}`;
      const before = await stamp();
      world.connection.asked.length = 0;
      await work();
      const written = world.connection.asked.filter(({ method }) => method !== 'GET').length;
      return written + (JSON.stringify(before) === JSON.stringify(await stamp()) ? 0 : 1);
    }
    async function version(played: PlayedDeployment): Promise<string> {
      const found = await world.cluster.read(argoApplications, played.application);
      return found?.metadata.resourceVersion ?? '';
    }

    it('RT-02 CA-01 what Argo CD says stands on the deployment and in the rows', async () => {
      const played = await playDeployment(world);
      await played.says({ ...synced, operationState, conditions: [{ type: 'SyncError', message: 'it broke' }] });

      await report(world, played.application);

      expect(await played.told()).toMatchObject({
        health: { status: 'Healthy' },
        sync: { status: 'Synced', revision: 'c0ffee' },
        resources: [{ kind: 'Service', name: 'web', status: 'Synced' }],
        operationState,
        reconciledState: {
          source: { path: 'deploy', repoURL: 'https://git.example/guestbook', branch: 'main' },
          destination: { name: '', namespace: 'team-a' },
        },
        conditions: [{ type: 'SyncError', status: 'True', reason: 'SyncError', message: 'it broke' }],
        observedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      });
      expect(await kept(played.id)).toMatchObject({ health: { status: 'Healthy' }, operationState });
      expect(await kept(played.id)).not.toHaveProperty('reconciledAt');
    });

    it('RT-02 nothing new makes no write, whether Argo CD looked again or somebody asks', async () => {
      const played = await playDeployment(world);
      await played.says({ ...synced, operationState });
      await report(world, played.application);
      await played.says({ reconciledAt: '2026-03-01T11:00:00Z' });
      const changed = { ...played.application, version: await version(played) };

      expect(await writesOf(played, () => report(world, changed))).toBe(0);
      expect(await writesOf(played, () => report(world, played.application))).toBe(0);
    });

    it('CA-02 CA-03 later changes follow, with operationState going and coming back', async () => {
      const played = await playDeployment(world);
      await played.says({ ...synced, operationState });
      await report(world, played.application);
      const finishedAt = null;

      await played.says({ operationState: { phase: 'Running', startedAt: '2026-03-01T12:00:00Z', finishedAt } });
      await report(world, played.application);
      const running = (await played.told())['operationState'];
      await played.says({ operationState: null, health: { status: 'Degraded', message: 'no replicas' } });
      await report(world, played.application);
      const without = await played.told();

      expect(running).toMatchObject({ phase: 'Running' });
      expect(running).not.toHaveProperty('finishedAt');
      expect(without['operationState']).toBeUndefined();
      expect(without['health']).toEqual({ status: 'Degraded', message: 'no replicas' });
      expect(await kept(played.id)).not.toHaveProperty('operationState');
    });

    it('defect 11: a condition that Argo CD takes back is resolved, ErrorOccurred is not', async () => {
      const played = await playDeployment(world);
      const ours = { type: 'ErrorOccurred', status: 'True', reason: 'ErrorOccurred', message: 'wrong path' };
      await world.cluster.patch(
        gitOpsDeployments,
        played.key,
        { status: { conditions: [ours] } },
        { subresource: 'status' },
      );
      await played.says({ ...synced, conditions: [{ type: 'ComparisonError', message: 'no such path' }] });
      await report(world, played.application);
      await played.says({ conditions: [] });

      await report(world, played.application);

      expect((await played.told())['conditions']).toMatchObject([
        ours,
        { type: 'ComparisonError', status: 'False', reason: 'ComparisonErrorResolved', message: '' },
      ]);
    });

    it('RT-04 the destination is called as the user calls the environment', async () => {
      const played = await playDeployment(world);
      const environment = crypto.randomUUID();
      await world.sql`insert into managed_environment (id, name, cluster_credentials_id) values (${environment}, 'x', 'local')`;
      await world.sql`update application set managed_environment_id = ${environment} where id = ${played.id}`;
      await world.sql`insert into api_cr_to_database_mapping (api_resource_type, api_resource_uid, api_resource_name,
        api_resource_namespace, api_resource_namespace_uid, db_relation_type, db_relation_key) values
        ('GitOpsDeploymentManagedEnvironment', ${environment}, 'staging', ${played.key.namespace}, ${played.namespace.uid}, 'ManagedEnvironment', ${environment})`;
      const destination = { name: `managed-env-${environment}`, namespace: 'web' };
      await played.says({ sync: { ...synced.sync, comparedTo: { ...synced.sync.comparedTo, destination } } });

      await report(world, played.application);

      expect(await played.told()).toMatchObject({
        reconciledState: { destination: { name: 'staging', namespace: 'web' } },
      });
    });

    it('RT-05 a deployment that is gone, or another one of its name, is told nothing; the rows are kept', async () => {
      const played = await playDeployment(world);
      await played.says(synced);
      await world.cluster.remove(gitOpsDeployments, played.key);
      await until(
        'the deployment to be gone',
        async () => (await world.cluster.read(gitOpsDeployments, played.key)) === undefined,
      );

      expect(await report(world, played.application)).toMatchObject({ kind: 'stepped', effects: 1 });
      const { key } = played;
      await world.cluster.create(gitOpsDeployments, {
        metadata: { ...key },
        spec: { source: { repoURL: 'https://git.example/other', path: 'deploy' }, type: 'manual' },
      });
      await played.says({ health: { status: 'Degraded' } });
      await report(world, played.application);

      expect(await played.told()).toEqual({});
      expect(await kept(played.id)).toMatchObject({ health: { status: 'Degraded' } });
    });

    it('CA-07 an Application with empty health and sync is kept without complaint', async () => {
      const played = await playDeployment(world);
      await played.says({ health: {}, sync: { status: '' } });

      expect(await report(world, played.application)).toMatchObject({ kind: 'stepped' });
      expect(await kept(played.id)).toMatchObject({ resources: [] });
    });

    it('a sync under way is woken by what Argo CD says', async () => {
      const played = await playDeployment(world);
      const run = crypto.randomUUID();
      await world.sql`insert into sync_operation (id, application_id, deployment_name, revision, desired_state, requested_at)
        values (${run}, ${played.id}, 'web', 'main', 'Running', now())`;
      await world.sql`insert into api_cr_to_database_mapping (api_resource_type, api_resource_uid, api_resource_name,
        api_resource_namespace, api_resource_namespace_uid, db_relation_type, db_relation_key) values
        ('GitOpsDeploymentSyncRun', ${run}, 'now', ${played.key.namespace}, ${played.namespace.uid}, 'SyncOperation', ${run})`;

      const { knocks } = await rehearse(world, played.application);
      await world.sql`update sync_operation set finished_at = now() where id = ${run}`;

      expect(knocks).toEqual([
        { type: 'sync-run.changed.v1', subject: { namespace: played.key.namespace, name: 'now' } },
      ]);
      expect((await rehearse(world, played.application)).knocks).toEqual([]);
    });
  });
}
