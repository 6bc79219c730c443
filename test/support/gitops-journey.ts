import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { findKustomize } from '../../infra/embedded/argo-cd/source/find-kustomize.ts';
import { startEmbeddedArgoCd } from '../../infra/embedded/argo-cd/start-embedded-argo-cd.ts';
import { startEmbeddedKubernetes } from '../../infra/embedded/kubernetes/start-embedded-kubernetes.ts';
import { applyCrds, ownCrds, readCrds } from '../../infra/kubernetes/apply-crds.ts';
import { mapFile } from '../../infra/map.ts';
import { runPods } from '../../infra/real/run-pods.ts';
import { startArgoCd } from '../../infra/real/start-argo-cd.ts';
import { startControlPlane } from '../../infra/real/start-control-plane.ts';
import { type ClusterConnection, connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import { namespaces, repositoryCredentials, secrets } from '../../shared/contracts/kubernetes/kinds.ts';
import { secretTypes } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { type ArgoGit, startArgoGit } from './argo-repository.ts';
import { type HostProcess, openWorld, startHostProcess, type World } from './host-process.ts';
import type { RunningCluster } from './running-cluster.ts';

/** A cluster with an Argo CD that works, whichever of the two. */
export interface ArgoCluster {
  readonly cluster: RunningCluster;
  readonly connection: ClusterConnection;
  readonly argoNamespace: string;
  stop(): Promise<void>;
}

/** Everything that stands around a tenant: a cluster, Argo CD, git, and the service as a process of its own. */
export interface GitOpsJourney extends ArgoCluster {
  readonly api: Cluster;
  readonly git: ArgoGit;
  readonly world: World;
  host: HostProcess;
  /** How long one thing may take before it is in vain. */
  readonly patienceMs: number;
  /** A fresh namespace, as a tenant has one. */
  namespace(): Promise<string>;
  /** Lets the namespace read the journey's repositories; answers with the name of the Secret. */
  credential(namespace: string, repository: string, token?: string): Promise<string>;
}

/** The operator does something in between, where there is anything to do before the service starts. */
export async function openGitOpsJourney(
  open: () => Promise<ArgoCluster>,
  patienceMs: number,
  prepare: (world: World) => Promise<void> = async () => {},
): Promise<GitOpsJourney> {
  const argo = await open();
  const folder = await mkdtemp(join(tmpdir(), 'stagecoach-gitops-'));
  const git = await startArgoGit(join(folder, 'git'));
  const tokenFile = join(folder, 'git-token');
  await writeFile(tokenFile, git.writeToken, { mode: 0o600 });
  const settings = {
    KUBECONFIG: argo.cluster.kubeconfigFile,
    ARGO_CD_NAMESPACE: argo.argoNamespace,
    GIT_ROOT_URL: git.server.url,
    GIT_TOKEN_FILE: tokenFile,
    GIT_CACHE_FOLDER: join(folder, 'clones'),
  };
  const world = await openWorld(settings, mapFile);
  await prepare(world);
  const host = await startHostProcess(world.environment);
  const api = openCluster({ connection: argo.connection });
  const journey: GitOpsJourney = {
    ...argo,
    api,
    git,
    world,
    host,
    patienceMs,
    async namespace() {
      const name = `team-${randomBytes(4).toString('hex')}`;
      await api.create(namespaces, { metadata: { name } });
      return name;
    },
    async credential(namespace, repository, token = git.readToken) {
      const name = `repository-${randomBytes(4).toString('hex')}`;
      await api.create(secrets, {
        metadata: { namespace, name },
        type: secretTypes.repositoryCredential,
        stringData: { username: 'git', password: token },
      });
      await api.create(repositoryCredentials, { metadata: { namespace, name }, spec: { repository, secret: name } });
      return name;
    },
    async stop() {
      await journey.host.kill('SIGTERM');
      await world.close();
      await git.stop();
      await argo.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return journey;
}

const silent = { error() {}, warn() {}, info() {}, debug() {} };

export async function openEmbeddedArgoCluster(knownHosts = ''): Promise<ArgoCluster> {
  const searchPath = process.env['PATH'] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'stagecoach-argo-'));
  const cluster = await startEmbeddedKubernetes({ folder: join(folder, 'plane') });
  const connection = connectCluster({ kubeconfigPath: cluster.kubeconfigFile, now: Date.now });
  await applyCrds(connection, readCrds(ownCrds));
  await applySettings(connection, knownHosts);
  const argo = await startEmbeddedArgoCd({
    cluster: connection,
    folder: join(folder, 'argo'),
    log: silent,
    now: Date.now,
    searchPath,
    kustomize: await findKustomize(searchPath),
  });
  return {
    cluster,
    connection,
    argoNamespace: 'argocd',
    async stop() {
      await argo.stop();
      await connection.close();
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type ArgoParts = Readonly<
  Record<'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'argo-cd' | 'kustomize', string>
>;

/** What the stand-in reads of the settings of an Argo CD. */
async function applySettings({ request }: ClusterConnection, knownHosts: string): Promise<void> {
  const labels = { 'app.kubernetes.io/part-of': 'argocd' };
  const metadata = { name: 'argocd-ssh-known-hosts-cm', namespace: 'argocd', labels };
  for (const [path, body] of [
    ['/api/v1/namespaces', { metadata: { name: metadata.namespace } }],
    [`/api/v1/namespaces/${metadata.namespace}/configmaps`, { metadata, data: { ssh_known_hosts: knownHosts } }],
  ] as const)
    await request(path, { method: 'POST', body, accept: [] });
}

export async function openRealArgoCluster(parts: ArgoParts, knownHosts?: string): Promise<ArgoCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'stagecoach-argo-'));
  const cluster = await startControlPlane({ parts, folder: join(folder, 'plane'), controllerManager: true });
  const connection = connectCluster({ kubeconfigPath: cluster.kubeconfigFile, now: Date.now });
  const pods = await runPods(connection);
  const argo = await startArgoCd({
    parts,
    folder: join(folder, 'argo'),
    kubeconfigFile: cluster.kubeconfigFile,
    path: process.env['PATH'] ?? '',
    knownHosts,
  });
  return {
    cluster,
    connection,
    argoNamespace: argo.namespace,
    async stop() {
      await argo.stop();
      await pods.stop();
      await connection.close();
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
