import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import { appProjects, argoApplications, gitOpsDeployments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { applicationName, projectName } from '../../../../shared/domain/gitops/names.ts';
import { Uncertain } from '../../../../shared/ports/trouble.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';

/** From a GitOpsDeployment to Argo CD and away again, with every function at work. */
export function describeOperationsAsAWhole(open: () => Promise<GitOpsWorld>): void {
  describe('a GitOpsDeployment and what stands beside Argo CD', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    async function deploy(namespace: string, name = 'web'): Promise<string> {
      const { metadata } = await world.cluster.create(gitOpsDeployments, {
        metadata: { namespace, name },
        spec: { type: 'automated', source: { repoURL: 'https://git.example/team/app', path: 'deploy' } },
      });
      return metadata.uid;
    }
    const argoApplication = (id: string) =>
      openCluster({ connection: world.bare }).read(argoApplications, {
        namespace: argoNamespace,
        name: applicationName(id),
      });
    const project = (uid: string) =>
      world.cluster.read(appProjects, { namespace: argoNamespace, name: projectName(uid) });
    const openOperations = async () =>
      (await world.sql`select id from operation where state in ('Waiting', 'In_Progress')`).length;

    it('it comes, and a second look at everything writes nothing', async () => {
      const { name, uid } = await world.namespace();
      const id = await deploy(name);
      await world.settle();
      expect((await argoApplication(id))?.spec.project).toBe(projectName(uid));
      expect(await openOperations()).toBe(0);

      world.connection.asked.length = 0;
      world.knock('operation.requested.v1', { namespace: name, name: `application.${id}` });
      world.knock('gitops-deployment.changed.v1', { namespace: name, name: 'web' });
      await world.settle();

      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
    });

    it('SL-06 it moves to another repository: the project lists that, and the old one only as long as another uses it', async () => {
      const { name, uid } = await world.namespace();
      const [old, fresh] = ['https://git.example/team/app', 'https://git.example/team/next'];
      await deploy(name, 'web');
      await deploy(name, 'api');
      await world.settle();
      async function move(deployment: string): Promise<object> {
        const source = { repoURL: fresh };
        await world.cluster.patch(gitOpsDeployments, { namespace: name, name: deployment }, { spec: { source } });
        await world.settle();
        const rows = await world.sql`
          select repo_url as url from app_project_repository where cluster_user_id = ${uid} order by 1`;
        return { project: (await project(uid))?.spec.sourceRepos, rows: rows.map(({ url }) => url) };
      }

      expect(await move('web')).toEqual({ project: [old, fresh], rows: [old, fresh] });
      expect(await move('api')).toEqual({ project: [fresh], rows: [fresh] });
    });

    it('it goes when Argo CD lets go, and nothing of it is left', async () => {
      const { name, uid } = await world.namespace();
      const id = await deploy(name);
      await world.settle();

      await world.cluster.remove(gitOpsDeployments, { namespace: name, name: 'web' });
      await world.settle();
      expect((await argoApplication(id))?.metadata.deletionTimestamp).toBeDefined();
      await world.cluster.patch(
        argoApplications,
        { namespace: argoNamespace, name: applicationName(id) },
        { metadata: { finalizers: null } },
      );
      await world.wake();
      await world.settle();

      expect(await argoApplication(id)).toBeUndefined();
      expect(await project(uid)).toBeUndefined();
      expect(await world.sql`select id from application where id = ${id}`).toHaveLength(0);
      expect(await openOperations()).toBe(0);
    });

    it('it is made once, though the answer to its creation got lost', async () => {
      const { name } = await world.namespace();
      let lost = 0;
      world.connection.trouble = ({ method, path }, when) => {
        if (method !== 'POST' || !path.endsWith('/applications') || when === 'before' || lost > 0) return undefined;
        lost += 1;
        return new Uncertain('cluster', 'the answer got lost');
      };

      const id = await deploy(name);
      await world.settle();
      world.connection.trouble = undefined;
      await world.sql`update lease set until = clock_timestamp() - interval '1 second'`;
      await world.wake();
      await world.settle();

      expect(lost).toBe(1);
      expect(await argoApplication(id)).toBeDefined();
      expect(await openOperations()).toBe(0);
      expect(world.queue.buried).toEqual([]);
    });
  });
}
