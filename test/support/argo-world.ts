import { join } from 'node:path';
import { Agent } from 'undici';
import { type ApiClient, createApiClient } from './api-client.ts';
import { freshName, pathOf } from './api-world.ts';
import { type ArgoApplication, openArgoApplication, type Patience } from './argo-application.ts';
import { type ArgoGit, startArgoGit } from './argo-repository.ts';
import type { RunningCluster } from './running-cluster.ts';
import { until } from './until.ts';

type SecretType = 'repository' | 'repo-creds' | 'cluster';
type Fields = Readonly<Record<string, unknown>>;

/** How an Application names the cluster that Argo CD lives in. */
export const localServer = 'https://kubernetes.default.svc';

/** A cluster with Argo CD in it, the real one or the stand-in, and a git server: as the contract suite sees them. */
export interface ArgoWorld {
  readonly cluster: RunningCluster;
  /** As the admin. */
  readonly api: ApiClient;
  readonly git: ArgoGit;
  /** Where Applications, AppProjects and the Secrets for them live. */
  readonly argoNamespace: string;
  /** A fresh namespace to deploy to. It is left behind: the cluster goes as a whole. */
  namespace(): Promise<string>;
  /** Creates an Application under a name of its own; the spec is completed with project default. */
  application(spec: Fields, metadata?: Fields): Promise<ArgoApplication>;
  project(spec: Fields): Promise<string>;
  /** Creates or replaces a Secret beside the Applications, of the type that its label says. */
  secret(name: string, type: SecretType, data: Readonly<Record<string, string>>): Promise<void>;
  create(path: string, object: Fields): Promise<void>;
  /** The object at the path as soon as it is there and as the predicate wants it. */
  untilLive(path: string, isSo?: (object: Fields) => boolean): Promise<Fields>;
  untilGone(path: string): Promise<void>;
}

export interface OpenArgoWorld extends ArgoWorld {
  /** Stops the git server; the cluster and Argo CD belong to whoever started them. */
  close(): Promise<void>;
}

export async function openArgoWorld(given: {
  readonly cluster: RunningCluster;
  /** For repositories; the caller removes it. */
  readonly folder: string;
  readonly argoNamespace: string;
  readonly patience: Patience;
}): Promise<OpenArgoWorld> {
  const { cluster, argoNamespace, patience } = given;
  const git = await startArgoGit(join(given.folder, 'git'));
  const agent = new Agent({ connect: { ca: cluster.ca } });
  const api = createApiClient(cluster.url, agent, cluster.adminToken);
  const argo = (resource: string) => pathOf('argoproj.io/v1alpha1', resource, argoNamespace);

  async function create(path: string, object: Fields): Promise<void> {
    const { code, text } = await api.create(path, object);
    if (code !== 201) throw new Error(`cannot create what the test needs at ${path}: ${text}`);
  }
  async function secret(name: string, type: SecretType, data: Readonly<Record<string, string>>): Promise<void> {
    const path = pathOf('v1', 'secrets', argoNamespace, name);
    const labels = { 'argocd.argoproj.io/secret-type': type };
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels }, stringData: data };
    const { code, text } = await api.patch(path, 'apply', object, { fieldManager: 'contract', force: true });
    if (code !== 200 && code !== 201) throw new Error(`cannot write Secret ${name}: ${text}`);
  }

  async function namespace(): Promise<string> {
    const name = freshName('ns');
    await create('/api/v1/namespaces', { metadata: { name } });
    return name;
  }
  async function application(spec: Fields, metadata: Fields = {}): Promise<ArgoApplication> {
    const name = freshName('app');
    await create(argo('applications'), {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { ...metadata, name },
      spec: { project: 'default', ...spec },
    });
    return openArgoApplication(api, argoNamespace, name, patience);
  }
  /** Lets Argo CD read the trusted repositories, and waits until it does. */
  async function openRepositories(): Promise<void> {
    await secret('contract-git', 'repo-creds', {
      type: 'git',
      url: git.trustedUrl,
      username: 'anybody',
      password: git.readToken,
    });
    const { url } = await git.repository({ 'README.md': 'words\n' });
    const app = await application({
      source: { repoURL: url, path: '.', targetRevision: 'main' },
      destination: { server: localServer, namespace: 'default' },
    });
    await app.until('a first look', ({ sync }) => sync !== undefined);
    await app.refreshUntil('Argo CD to read a repository', ({ sync }) => sync?.status === 'Synced');
    await app.delete();
  }
  async function close(): Promise<void> {
    await git.stop();
    await agent.destroy();
  }

  try {
    await openRepositories();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    cluster,
    api,
    git,
    argoNamespace,
    create,
    secret,
    namespace,
    application,
    async project(spec) {
      const name = freshName('project');
      await create(argo('appprojects'), {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'AppProject',
        metadata: { name },
        spec,
      });
      return name;
    },
    untilLive: (path, isSo = () => true) =>
      until(
        `an object at ${path}`,
        async () => {
          const { code, body } = await api.get(path);
          return code === 200 && isSo(body) ? body : undefined;
        },
        patience.deadlineMs,
      ),
    async untilGone(path) {
      await until(`nothing at ${path}`, async () => (await api.get(path)).code === 404, patience.deadlineMs);
    },
    close,
  };
}
