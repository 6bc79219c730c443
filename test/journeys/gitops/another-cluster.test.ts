import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { installArgoCd } from '../../../infra/embedded/argo-cd/install/install-argo-cd.ts';
import { applyCrds, ownCrds, readCrds } from '../../../infra/kubernetes/apply-crds.ts';
import { mapFile, readMap } from '../../../infra/map.ts';
import { setUp } from '../../../scripts/setup.ts';
import { type ClusterConnection, connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  argoApplications,
  gitOpsDeployments,
  managedEnvironments,
  namespaces,
  operations,
  secrets,
} from '../../../shared/contracts/kubernetes/kinds.ts';
import { finalizers, secretTypes } from '../../../shared/contracts/kubernetes/metadata-keys.ts';
import { applicationName } from '../../../shared/domain/gitops/names.ts';
import type { Cluster } from '../../../shared/ports/cluster.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { type HostProcess, openWorld, startHostProcess, type World } from '../../support/host-process.ts';
import { finishDeletions } from '../../support/play-argo-cd.ts';
import type { RunningCluster } from '../../support/running-cluster.ts';
import { startTarget } from '../../support/start-target.ts';
import { until } from '../../support/until.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

/** Point 4: the tenants' cluster has no Argo CD. One of another cluster works for them. */
describe('an Argo CD of another cluster', () => {
  let tenants: RunningCluster;
  let engine: RunningCluster;
  const connections: ClusterConnection[] = [];
  let api: Cluster;
  let beside: Cluster;
  let world: World;
  let host: HostProcess;

  beforeAll(async () => {
    [tenants, engine] = await Promise.all([startTarget(), startTarget()]);
    for (const { kubeconfigFile } of [tenants, engine])
      connections.push(connectCluster({ kubeconfigPath: kubeconfigFile, now: Date.now }));
    const [own, other] = connections as [ClusterConnection, ClusterConnection];
    await applyCrds(own, readCrds(ownCrds));
    await applyCrds(other, readCrds(ownCrds));
    await installArgoCd(other, 'argocd', AbortSignal.timeout(20_000));
    [api, beside] = [openCluster({ connection: own }), openCluster({ connection: other })];
    world = await openWorld({ KUBECONFIG: tenants.kubeconfigFile, ARGO_CD_NAMESPACE: 'argocd' }, mapFile);
    await ops('engines', 'add', '--kubeconfig', engine.kubeconfigFile, '--namespace', 'argocd', '--yes');
    host = await startHostProcess(world.environment);
  });
  afterAll(async () => {
    await host?.kill('SIGTERM');
    await world?.close();
    for (const connection of connections) await connection.close();
    await tenants?.stop();
    await engine?.stop();
  });

  it('gets the Application, tells its status, and lets go of it', async () => {
    const namespace = 'team';
    await api.create(namespaces, { metadata: { name: namespace } });
    await environment(namespace, 'far');
    const { metadata } = await deploy('web');
    const key = { namespace: 'argocd', name: applicationName(metadata.uid) };

    const application = await until('the Application in the other cluster', () => beside.read(argoApplications, key));
    expect(application.spec.destination).toMatchObject({ namespace: 'shop' });

    const status = { sync: { status: 'Synced', revision: 'abc' }, health: { status: 'Healthy' } };
    await beside.patch(argoApplications, key, { status });
    const told = await until('the status to come back', async () => {
      const seen = await api.read(gitOpsDeployments, metadata);
      return seen?.status?.health?.status === 'Healthy' ? seen.status : undefined;
    });
    expect(told.sync).toEqual({ status: 'Synced', revision: 'abc' });

    await api.remove(gitOpsDeployments, metadata);
    await until('the Application to be gone', async () => {
      await finishDeletions({ cluster: beside });
      return (await beside.read(argoApplications, key)) === undefined;
    });
    await until('the operation to be done', async () => {
      const open = await world.database.sql`select from operation where state in ('Waiting', 'In_Progress')`;
      return open.length === 0;
    });
  });

  it('is told of a deployment into the own namespace: it cannot reach that', async () => {
    await api.create(namespaces, { metadata: { name: 'lonely' } });
    const { metadata } = await api.create(gitOpsDeployments, {
      metadata: { namespace: 'lonely', name: 'web' },
      spec: { source: { repoURL: 'https://git.example/team/web', path: 'deploy' }, type: 'automated' },
    });

    const message = await until('the condition', async () => {
      const seen = await api.read(gitOpsDeployments, metadata);
      return seen?.status?.conditions.find(({ status }) => status === 'True')?.message;
    });

    expect(message).toContain('runs in another cluster');
  });

  it('that only its own agent may touch is told by objects, and the agent works them off', async () => {
    const id = (JSON.parse(await ops('engines', 'list', '--json')) as { engines: { instanceId: string }[] }).engines[0]
      ?.instanceId;
    await world.database.sql`update gitops_engine_instance set transport = 'agent' where id = ${id ?? ''}`;
    const agentSettings = {
      MAP_FILE: 'infra/agent/serverless.yml',
      QUEUE_PREFIX: 'agent',
      KUBECONFIG: engine.kubeconfigFile,
    };
    const config = readConfig(['database', 'queues', 'host'], { ...world.environment, ...agentSettings });
    await setUp(config, readMap(config.host.MAP_FILE));
    const agent = await startHostProcess({ ...world.environment, ...agentSettings });
    try {
      const { metadata } = await deploy('by-agent', { finalizers: [finalizers.gitOpsDeployment.key] });
      const key = { namespace: 'argocd', name: applicationName(metadata.uid) };
      await until('the Application that the agent made', () => beside.read(argoApplications, key));
      await agent.said(/"fn":"apply-operation".*"outcome":"stepped"/);

      await api.remove(gitOpsDeployments, metadata);
      await until(
        'the deployment to go, when the agent is done',
        async () => {
          await finishDeletions({ cluster: beside });
          return (await api.read(gitOpsDeployments, metadata)) === undefined;
        },
        50_000,
      );
      expect(await beside.read(argoApplications, key)).toBeUndefined();
      const left: unknown[] = [];
      for await (const page of beside.list(operations, { namespace: 'argocd' })) left.push(...page);
      expect(left).toEqual([]);
    } finally {
      await agent.kill('SIGTERM');
      await world.database.sql`update gitops_engine_instance set transport = 'queue' where id = ${id ?? ''}`;
    }
  });

  it('is in the list of the operator, with its tenants', async () => {
    const listed = JSON.parse(await ops('engines', 'list', '--json')) as object;

    expect(JSON.stringify(listed)).toContain('argocd');
  });

  function deploy(name: string, metadata: object = {}) {
    return api.create(gitOpsDeployments, {
      metadata: { ...metadata, namespace: 'team', name },
      spec: {
        source: { repoURL: 'https://git.example/team/web', path: 'deploy' },
        destination: { environment: 'far', namespace: 'shop' },
        type: 'automated',
      },
    });
  }

  async function ops(...words: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/ops/main.ts', ...words], {
      env: { PATH: process.env['PATH'], ...world.environment },
      timeout: 20_000,
    });
    return stdout;
  }

  async function environment(namespace: string, name: string): Promise<void> {
    const cluster = { server: engine.url, 'certificate-authority-data': Buffer.from(engine.ca).toString('base64') };
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      contexts: [{ name, context: { cluster: name, user: name } }],
      clusters: [{ name, cluster }],
      users: [{ name, user: { token: engine.adminToken } }],
    };
    await api.create(secrets, {
      metadata: { namespace, name },
      type: secretTypes.managedEnvironment,
      stringData: { kubeconfig: JSON.stringify(kubeconfig) },
    });
    await api.create(managedEnvironments, {
      metadata: { namespace, name },
      spec: { apiURL: engine.url, credentialsSecret: name, allowInsecureSkipTLSVerify: false },
    });
  }
});
