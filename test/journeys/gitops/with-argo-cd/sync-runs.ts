import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argoApplications, syncRuns } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsJourney } from '../../../support/gitops-journey.ts';
import { configMap, openTenant, type TenantJourney } from '../../../support/tenant-journey.ts';
import { until } from '../../../support/until.ts';

/** Nobody gives it an address here, so Argo CD waits for one. */
const neverHealthy = `apiVersion: v1
kind: Service
metadata:
  name: balancer
spec:
  type: LoadBalancer
  selector: { app: none }
  ports: [{ port: 80 }]
`;
const inSecondWave = '  annotations: { argocd.argoproj.io/sync-wave: "1" }\n';

/** Point 7 of the issue: a deployment of type manual is deployed when a sync run asks for it, and only then. */
export function describeSyncRunJourneys(open: () => Promise<GitOpsJourney>): void {
  describe('a GitOpsDeploymentSyncRun, synced by an Argo CD that works', () => {
    let journey: GitOpsJourney;
    let tenant: TenantJourney;
    beforeAll(async () => {
      journey = await open();
      tenant = await openTenant(journey, { 'web/map.yaml': configMap('web', 'one') });
    });
    afterAll(() => journey?.stop());

    async function run(name: string, revisionID: string, gitopsDeploymentName = 'web'): Promise<void> {
      await journey.api.create(syncRuns, {
        metadata: { namespace: tenant.namespace, name },
        spec: { gitopsDeploymentName, revisionID },
      });
    }

    /** What the run says at its end. */
    function endOf(name: string) {
      return until(
        `the end of ${name}`,
        async () => {
          const { status } = (await journey.api.read(syncRuns, tenant.key(name))) ?? {};
          const [condition] = status?.conditions ?? [];
          return status === undefined || status.syncStatus === '' || condition === undefined
            ? undefined
            : {
                status: condition.status,
                message: condition.message,
                sync: status.syncStatus,
                health: status.health?.status,
              };
        },
        journey.patienceMs,
      );
    }

    it('RS-01 WL-05 waits for its deployment, deploys it, and says how that went', async () => {
      await run('first', '');

      await tenant.deploy('web', { path: 'web', type: 'manual' });

      expect(await endOf('first')).toEqual({ status: 'False', message: '', sync: 'Synced', health: 'Healthy' });
      expect(await tenant.dataOf('web')).toBe('one');
    });

    it('takes away what the commit has no more (defect 25)', async () => {
      const { repository } = tenant;
      const before = await repository.commit({ 'web/more.yaml': configMap('more', 'one') });
      await run('with-more', before);
      expect(await endOf('with-more')).toMatchObject({ sync: 'Synced' });
      expect(await tenant.dataOf('more')).toBe('one');

      await run('without-more', await repository.commit({ 'web/more.yaml': null }));

      expect(await endOf('without-more')).toMatchObject({ status: 'False', sync: 'Synced' });
      expect(await tenant.dataOf('more')).toBeUndefined();
    });

    it('AL-04 deploys a commit, and one that waits in line deploys the next', async () => {
      const second = await tenant.repository.commit({ 'web/map.yaml': configMap('web', 'two') });
      await run('second', second);
      await run('third', tenant.repository.first);

      expect(await endOf('second')).toMatchObject({ status: 'False' });
      expect(await endOf('third')).toMatchObject({ status: 'False' });

      expect(await tenant.dataOf('web')).toBe('one');
    });

    it('says what Argo CD says of a revision that does not exist (defect 25), and lets go of the next', async () => {
      await run('wrong', 'no-such-branch');
      await run('right', 'main');

      expect(await endOf('wrong')).toMatchObject({
        status: 'True',
        message: expect.stringContaining('no-such-branch'),
      });
      expect(await endOf('right')).toMatchObject({ status: 'False', sync: 'Synced' });
      expect(await tenant.dataOf('web')).toBe('two');
    });

    it('RS-03 deleted while Argo CD waits for its first wave, is stopped there, and the second never comes', async () => {
      await tenant.repository.commit({
        'slow/balancer.yaml': neverHealthy,
        'slow/map.yaml': configMap('second-wave', 'one').replace('metadata:\n', `metadata:\n${inSecondWave}`),
      });
      await tenant.deploy('slow', { path: 'slow', type: 'manual' });
      await run('endless', 'main', 'slow');
      const application = await tenant.applicationKey('slow');
      const stateOf = async () => (await journey.api.read(argoApplications, application))?.status?.operationState;
      await tenant.until('Argo CD to wait for the first wave', async () => {
        const state = await stateOf();
        return state?.phase === 'Running' && state.message.includes('healthy state');
      });

      await journey.api.remove(syncRuns, tenant.key('endless'));

      await tenant.until('Argo CD to stop', async () => (await stateOf())?.phase === 'Failed');
      expect((await stateOf())?.message.toLowerCase()).toContain('terminated');
      expect(await tenant.dataOf('second-wave')).toBeUndefined();
    });

    it('RS-03 leaves nothing behind when it is deleted, at its end or before', async () => {
      await run('stopped', 'main');
      await journey.api.remove(syncRuns, tenant.key('stopped'));
      for (const name of ['first', 'with-more', 'without-more', 'second', 'third', 'wrong', 'right'])
        await journey.api.remove(syncRuns, tenant.key(name));

      const { sql } = journey.world.database;
      await until(
        'the rows to be gone',
        async () => {
          const mappings =
            await sql`select from api_cr_to_database_mapping where api_resource_type = 'GitOpsDeploymentSyncRun'`;
          return mappings.length === 0 && (await sql`select from sync_operation`).length === 0;
        },
        journey.patienceMs,
      );
      const application = await journey.api.read(argoApplications, await tenant.applicationKey('web'));
      expect(application?.operation).toBeUndefined();
    });
  });
}
