import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argoApplications, gitOpsDeployments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { applicationName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { finishDeletions } from '../../../support/play-argo-cd.ts';
import { until } from '../../../support/until.ts';

/** From the GitOpsDeployment to its Application and back, with every function of the map at work. */
export function describeStatusWholeWay(open: () => Promise<GitOpsWorld>): void {
  describe('status up, the whole way', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    async function deploy() {
      const { name: namespace } = await world.namespace();
      const key = { namespace, name: 'web' };
      const { metadata } = await world.cluster.create(gitOpsDeployments, {
        metadata: key,
        spec: { source: { repoURL: 'https://git.example/app', path: 'deploy' }, type: 'automated' },
      });
      await world.settle();
      return { key, id: metadata.uid, application: { namespace: argoNamespace, name: applicationName(metadata.uid) } };
    }

    it('RT-02 what Argo CD says reaches the deployment, and nothing is left to do then', async () => {
      const { key, application } = await deploy();

      await world.cluster.patch(argoApplications, application, {
        status: { health: { status: 'Healthy' }, sync: { status: 'Synced', revision: 'c0ffee' } },
      });
      await world.settle();
      world.connection.asked.length = 0;
      world.knock('argo-application.changed.v1', application);
      world.knock('gitops-deployment.changed.v1', key);
      await world.settle();

      const deployment = await world.cluster.read(gitOpsDeployments, key);
      expect(deployment?.status).toMatchObject({ health: { status: 'Healthy' }, sync: { revision: 'c0ffee' } });
      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
    });

    it('AL-11 a status that somebody has written over says what Argo CD says as soon as the tenant asks by reconcile-at', async () => {
      const { key, application } = await deploy();
      const argoSays = { health: { status: 'Healthy' }, sync: { status: 'Synced', revision: 'c0ffee' } };
      await world.cluster.patch(argoApplications, application, { status: argoSays });
      await world.settle();
      await world.cluster.patch(
        gitOpsDeployments,
        key,
        { status: { health: { status: 'Missing' } } },
        { subresource: 'status' },
      );
      await world.settle();

      await world.cluster.patch(gitOpsDeployments, key, {
        metadata: { annotations: { 'stagecoach.dev/reconcile-at': 'now' } },
      });
      await world.settle();

      expect((await world.cluster.read(gitOpsDeployments, key))?.status).toMatchObject(argoSays);
    });

    it('CA-06 an Application that somebody takes away comes back', async () => {
      const { application } = await deploy();
      const before = await world.cluster.read(argoApplications, application);

      await world.cluster.remove(argoApplications, application);
      await until('the Application to be back', async () => {
        await finishDeletions(world);
        await world.settle();
        const after = await world.cluster.read(argoApplications, application);
        return after !== undefined && after.metadata.uid !== before?.metadata.uid;
      });
    });

    it('CA-05 an Application without a row goes', async () => {
      const id = crypto.randomUUID();
      const application = { namespace: argoNamespace, name: applicationName(id) };
      // Somebody is placed there, so that the Argo CD is known.
      await deploy();
      const [engine] = await world.world.tenants.engines();
      await world.sql`insert into operation (id, instance_id, resource_id, resource_type, state)
        values (${crypto.randomUUID()}, ${engine?.instanceId ?? ''}, ${id}, 'Application', 'Completed')`;

      await world.cluster.create(argoApplications, {
        metadata: { ...application, labels: { databaseID: id } },
        spec: { project: 'none', source: { repoURL: 'https://git.example/app' }, destination: { name: 'in-cluster' } },
      });
      await world.cluster.patch(argoApplications, application, { status: { health: { status: 'Unknown' } } });

      await until('the Application to be gone', async () => {
        await world.settle();
        await finishDeletions(world);
        return (await world.cluster.read(argoApplications, application)) === undefined;
      });
      await world.settle();
      expect(
        await world.sql`select state from operation where resource_id = ${id} and state in ('Waiting', 'In_Progress')`,
      ).toEqual([]);
    });
  });
}
