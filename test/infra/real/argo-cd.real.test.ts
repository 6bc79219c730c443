import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArgoCd, startArgoCd } from '../../../infra/real/start-argo-cd.ts';
import { type ControlPlane, startControlPlane } from '../../../infra/real/start-control-plane.ts';
import { type ClusterConnection, connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { processesIn } from './processes-in.ts';
import { type GitRepository, serveGit } from './serve-git.ts';

const real = await realParts(['etcd', 'kube-apiserver', 'argo-cd', 'kustomize']);
const timeout = 60_000;
const applications = '/apis/argoproj.io/v1alpha1/namespaces/argocd/applications';
const greeting = '/api/v1/namespaces/default/configmaps/greeting';

describe.skipIf('missing' in real)(`the real Argo CD${reasonOf(real)}`, () => {
  let folder: string;
  let plane: ControlPlane;
  let argoCd: ArgoCd;
  let repository: GitRepository;
  let connection: ClusterConnection;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stagecoach-argo-'));
    await mkdir(join(folder, 'git'));
    plane = await startControlPlane({ parts: partsOf(real), folder: join(folder, 'plane'), crds: false });
    [argoCd, repository] = await Promise.all([
      startArgoCd({
        parts: partsOf(real),
        folder: join(folder, 'argo-cd'),
        kubeconfigFile: plane.kubeconfigFile,
        path: process.env['PATH'] ?? '',
      }),
      serveGit(join(folder, 'git')),
    ]);
    connection = connectCluster({ kubeconfigPath: plane.kubeconfigFile, now: Date.now });
  });

  afterAll(async () => {
    await connection?.close();
    await argoCd?.stop();
    await repository?.stop();
    await plane?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function read(path: string): Promise<unknown> {
    return (await connection.request(path)).body;
  }

  it('brings what a kustomize folder in Git holds into the cluster', async () => {
    const revision = await repository.commit({
      'app/kustomization.yaml': 'resources: [greeting.yaml]\nnamePrefix: ""\n',
      'app/greeting.yaml': configMap('hello'),
    });

    await connection.request(applications, {
      method: 'POST',
      body: {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: 'greeting', namespace: argoCd.namespace },
        spec: {
          project: 'default',
          source: { repoURL: repository.url, path: 'app', targetRevision: 'main' },
          destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
          syncPolicy: { automated: { prune: true } },
        },
      },
      accept: [],
    });

    await expect
      .poll(() => read(`${applications}/greeting`), { timeout })
      .toMatchObject({
        status: { sync: { status: 'Synced', revision }, health: { status: 'Healthy' }, sourceType: 'Kustomize' },
      });
    expect(await read(greeting)).toMatchObject({ data: { text: 'hello' } });
  });

  it('looks at Git again when an annotation asks for it', async () => {
    const revision = await repository.commit({ 'app/greeting.yaml': configMap('good morning') });

    await connection.request(`${applications}/greeting`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } },
      accept: [],
    });

    await expect
      .poll(() => read(`${applications}/greeting`), { timeout })
      .toMatchObject({ status: { sync: { status: 'Synced', revision }, operationState: { phase: 'Succeeded' } } });
    expect(await read(greeting)).toMatchObject({ data: { text: 'good morning' } });
  });

  it('leaves no process behind', async () => {
    const home = argoCd.folder;
    const running = await processesIn(home);

    await argoCd.stop();

    expect(running.length).toBeGreaterThanOrEqual(3);
    expect(await processesIn(home)).toEqual([]);
  });
});

function configMap(text: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: greeting\ndata:\n  text: ${text}\n`;
}
