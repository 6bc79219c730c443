import { z } from 'zod';
import type { GitOpsDeployment } from '../../shared/contracts/kubernetes/gitops-deployment.ts';
import { gitOpsDeployments, type ObjectKind } from '../../shared/contracts/kubernetes/kinds.ts';
import { applicationName } from '../../shared/domain/gitops/names.ts';
import type { ObjectKey } from '../../shared/ports/cluster.ts';
import type { ArgoRepository, RepositoryFiles } from './argo-repository.ts';
import type { GitOpsJourney } from './gitops-journey.ts';
import { until } from './until.ts';

interface Deployed {
  readonly path: string;
  /** The tenant's own unless named. */
  readonly repository?: string | undefined;
  readonly type?: 'automated' | 'manual' | undefined;
  readonly destination?: { readonly environment: string; readonly namespace: string } | undefined;
}

/** One tenant on a journey: a namespace, and a repository that only its own credential opens. */
export interface TenantJourney {
  readonly namespace: string;
  readonly repository: ArgoRepository & { readonly first: string };
  /** The resource that opens the repository, and its Secret. */
  readonly credential: ObjectKey;
  key(name: string): ObjectKey;
  anotherRepository(files: RepositoryFiles): Promise<string>;
  deploy(name: string, deployed: Deployed, metadata?: object): Promise<void>;
  read(name: string): Promise<GitOpsDeployment | undefined>;
  /** The Argo CD Application of a deployment. */
  applicationKey(name: string): Promise<ObjectKey>;
  /** The value of the ConfigMap of that name, as it was deployed; undefined where there is none. */
  dataOf(name: string, namespace?: string): Promise<string | undefined>;
  until(what: string, isSo: () => Promise<boolean>): Promise<void>;
  untilStatus(name: string, sync: string, health: string): Promise<GitOpsDeployment>;
  untilCondition(name: string, type: string, status: string): Promise<string>;
}

export async function openTenant(journey: GitOpsJourney, files: RepositoryFiles): Promise<TenantJourney> {
  const { api, git, patienceMs } = journey;
  const namespace = await journey.namespace();
  const repository = await git.repository(files);
  const credential = { namespace, name: await journey.credential(namespace, repository.url) };

  function key(name: string): ObjectKey {
    return { namespace, name };
  }

  async function read(name: string): Promise<GitOpsDeployment | undefined> {
    return api.read(gitOpsDeployments, key(name));
  }

  /** Waits, and tells in vain what was there at last. */
  async function untilSo<Found>(name: string, what: string, look: (seen: GitOpsDeployment) => Found | undefined) {
    let last: unknown;
    try {
      return await until(
        what,
        async () => {
          const seen = await read(name);
          last = seen?.status;
          return seen === undefined ? undefined : look(seen);
        },
        patienceMs,
      );
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}; its status was ${JSON.stringify(last)}`);
    }
  }

  return {
    namespace,
    repository,
    credential,
    key,
    read,
    async anotherRepository(more) {
      const { url } = await git.repository(more);
      await journey.credential(namespace, url);
      return url;
    },
    async deploy(name, { path, repository: repoURL = repository.url, type = 'automated', destination }, metadata = {}) {
      await api.create(gitOpsDeployments, {
        metadata: { ...metadata, namespace, name },
        spec: { source: { repoURL, path }, type, ...(destination !== undefined && { destination }) },
      });
    },
    async applicationKey(name) {
      const seen = await read(name);
      return { namespace: journey.argoNamespace, name: applicationName(seen?.metadata.uid ?? '') };
    },
    async dataOf(name, at = namespace) {
      const found = await api.read(configMaps, { namespace: at, name });
      return (found as { data?: { value?: string } } | undefined)?.data?.value;
    },
    async until(what, isSo) {
      await until(what, isSo, patienceMs);
    },
    untilStatus: (name, sync, health) =>
      untilSo(name, `${sync} and ${health}`, (seen) =>
        seen.status?.sync?.status === sync &&
        seen.status.health?.status === health &&
        seen.status.operationState?.phase !== 'Running'
          ? seen
          : undefined,
      ),
    untilCondition: (name, type, status) =>
      untilSo(
        name,
        `${type} ${status}`,
        ({ status: said }) => said?.conditions.find((one) => one.type === type && one.status === status)?.message,
      ),
  };
}

/** The manifest of a ConfigMap with one value in it. */
export function configMap(name: string, value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n`;
}

const configMaps: ObjectKind<z.ZodType> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  Schema: z.looseObject({}),
};
