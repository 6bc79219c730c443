import type { ArgoApplication } from '../../shared/contracts/argo/application.ts';
import { argoApplications, gitOpsDeployments, syncRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { applicationName } from '../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from './gitops-world.ts';

/** A deployment, of type manual unless said otherwise, with all functions at work, and the test in the place of Argo CD. */
export async function playSyncs(world: GitOpsWorld) {
  const namespace = await world.namespace();
  let application = { namespace: argoNamespace, name: '' };

  async function read(): Promise<ArgoApplication> {
    const found = await world.cluster.read(argoApplications, application);
    if (found === undefined) throw new Error(`there is no Application ${application.name}`);
    return found;
  }

  const played = {
    namespace,
    read,

    async deploy(name: string, type = 'manual'): Promise<string> {
      const { metadata } = await world.cluster.create(gitOpsDeployments, {
        metadata: { namespace: namespace.name, name },
        spec: {
          type,
          source: { repoURL: 'https://git.example/team/shop', path: 'deploy', targetRevision: 'main' },
        },
      });
      application = { namespace: argoNamespace, name: applicationName(metadata.uid) };
      await world.settle();
      return metadata.uid;
    },

    async syncRun(name: string, gitopsDeploymentName: string, revisionID = ''): Promise<string> {
      const { metadata } = await world.cluster.create(syncRuns, {
        metadata: { namespace: namespace.name, name },
        spec: { gitopsDeploymentName, revisionID },
      });
      await world.settle();
      return metadata.uid;
    },

    async statusOf(name: string) {
      return (await world.cluster.read(syncRuns, { namespace: namespace.name, name }))?.status;
    },

    async remove(name: string): Promise<void> {
      await world.cluster.remove(syncRuns, { namespace: namespace.name, name });
      await world.settle();
    },

    /** Argo CD has compared and begins what it was asked for. Returns what that was. */
    async begins() {
      const { operation, metadata } = await read();
      if (operation === undefined) throw new Error('nobody asked Argo CD for anything');
      await world.cluster.patch(argoApplications, application, {
        metadata: { resourceVersion: metadata.resourceVersion, annotations: { 'argocd.argoproj.io/refresh': null } },
        status: { operationState: { operation, phase: 'Running', message: '', startedAt: now(), finishedAt: null } },
      });
      await world.settle();
      return operation;
    },

    /** Argo CD is done with what it had begun. `through` are other hands where nobody is to notice. */
    async ends(state: object, status: object, through = world.cluster): Promise<void> {
      await through.patch(argoApplications, application, {
        operation: null,
        status: { ...status, operationState: { finishedAt: now(), ...state } },
      });
      await world.settle();
    },

    /** Time goes by. */
    async later(): Promise<void> {
      await world.wake();
      await world.settle();
    },

    async rowsOf(id: string): Promise<number> {
      const [row] = await world.sql<[{ count: number }]>`
        select (select count(*) from sync_operation where id = ${id})::int
             + (select count(*) from api_cr_to_database_mapping where db_relation_key = ${id})::int as count`;
      return row.count;
    },
  };
  return played;
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}
