import { expect } from 'vitest';
import {
  appProjects,
  argoApplications,
  gitOpsDeployments,
  syncRuns,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { applicationName, projectName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';

export const goodSource = { repoURL: 'https://git.example/team/shop', path: 'deploy', targetRevision: 'main' };

/** Words that nobody means: a zero, a bell, a sign that turns the direction of writing, a line break. */
export const unreadable = 'd\u0000\u0007\u202e\u65e5\u672c\nx';

/** A tenant's namespace, the tenant's hands, and what a test wants to know of it afterwards. */
export async function openBadInput(world: GitOpsWorld) {
  const namespace = await world.namespace('bad');

  async function conditionOf(name = 'web') {
    const found = await world.cluster.read(gitOpsDeployments, { namespace: namespace.name, name });
    const condition = found?.status?.conditions.find(({ type }) => type === 'ErrorOccurred');
    return condition && { status: condition.status, message: condition.message };
  }

  return {
    namespace,
    conditionOf,

    async deploy(spec: object = {}, name = 'web'): Promise<string> {
      const { metadata } = await world.cluster.create(gitOpsDeployments, {
        metadata: { namespace: namespace.name, name },
        spec: { source: goodSource, type: 'automated', ...spec },
      });
      return metadata.uid;
    },

    async change(spec: object, name = 'web'): Promise<void> {
      await world.cluster.patch(gitOpsDeployments, { namespace: namespace.name, name }, { spec });
    },

    async allConditions(name = 'web') {
      const found = await world.cluster.read(gitOpsDeployments, { namespace: namespace.name, name });
      return found?.status?.conditions.map(({ type, status, message }) => [type, status, message]);
    },

    async syncRun(spec: object, name = 'run'): Promise<void> {
      await world.cluster.create(syncRuns, { metadata: { namespace: namespace.name, name }, spec });
    },

    async syncRunSays(name = 'run') {
      const found = await world.cluster.read(syncRuns, { namespace: namespace.name, name });
      return found?.status?.conditions.map(({ status, message }) => ({ status, message }));
    },

    application: (id: string) =>
      world.cluster.read(argoApplications, { namespace: argoNamespace, name: applicationName(id) }),

    /** Nothing of the deployment is stored, asked for or beside Argo CD. */
    async expectNothingOf(id: string): Promise<void> {
      const [rows] = await world.sql`
        select (select count(*)::int from application where id = ${id}) as applications,
          (select count(*)::int from deployment_to_application_mapping where namespace = ${namespace.name}) as mappings,
          (select count(*)::int from operation where resource_id = ${id}) as operations`;
      expect(rows).toEqual({ applications: 0, mappings: 0, operations: 0 });
      expect(await this.application(id)).toBeUndefined();
    },

    /** The tenant is known to nobody. */
    async expectNoTenant(): Promise<void> {
      expect(await world.sql`select from cluster_user where id = ${namespace.uid}`).toHaveLength(0);
      const name = projectName(namespace.uid);
      expect(await world.cluster.read(appProjects, { namespace: argoNamespace, name })).toBeUndefined();
    },

    /** The deployment is beside Argo CD, and what was wrong is taken back. */
    async expectHealed(id: string, name = 'web'): Promise<void> {
      expect(await conditionOf(name)).toEqual({ status: 'False', message: '' });
      expect((await this.application(id))?.spec.project).toBe(projectName(namespace.uid));
    },
  };
}

/** Whatever users write, it is no defect of ours, and nobody has to read a dead letter about it. */
export async function expectNoDefects({ sql, queue, delayed }: GitOpsWorld): Promise<void> {
  expect(
    await sql`select function, subject, outcome, reason from step_log where outcome in ('defect', 'poison')`,
  ).toEqual([]);
  expect(queue.buried).toEqual([]);
  expect(delayed).toEqual([]);
}
