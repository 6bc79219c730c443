import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPods } from '../../../infra/real/run-pods.ts';
import { type ControlPlane, startControlPlane } from '../../../infra/real/start-control-plane.ts';
import { type ClusterConnection, connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';

const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager']);
const timeout = 60_000;

describe.skipIf('missing' in real)(`workloads on the real control plane${reasonOf(real)}`, () => {
  let folder: string;
  let plane: ControlPlane;
  let connection: ClusterConnection;
  let pods: { stop(): Promise<void> };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stagecoach-plane-'));
    plane = await startControlPlane({ parts: partsOf(real), folder, controllerManager: true });
    connection = connectCluster({ kubeconfigPath: plane.kubeconfigFile, now: Date.now });
    pods = await runPods(connection);
  });

  afterAll(async () => {
    await pods?.stop();
    await connection?.close();
    await plane?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function create(path: string, body: object): Promise<void> {
    await connection.request(path, { method: 'POST', body, accept: [] });
  }

  async function read(path: string): Promise<unknown> {
    return (await connection.request(path)).body;
  }

  function template(labels: object, more: object = {}): object {
    return { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example/image:1' }], ...more } };
  }

  it('a Deployment becomes available', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const labels = { app: 'web' };

    await create(path, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 3, selector: { matchLabels: labels }, template: template(labels) },
    });

    await expect
      .poll(() => read(`${path}/web`), { timeout })
      .toMatchObject({
        status: {
          availableReplicas: 3,
          conditions: expect.arrayContaining([expect.objectContaining({ type: 'Available', status: 'True' })]),
        },
      });
    const list = (await read('/api/v1/namespaces/default/pods?labelSelector=app%3Dweb')) as {
      items: { spec: object; status: { podIP: string; containerStatuses: object[] } }[];
    };
    expect(list.items).toHaveLength(3);
    for (const { spec, status } of list.items) {
      expect(spec).toMatchObject({ nodeName: 'stagecoach-node' });
      expect(status).toMatchObject({ phase: 'Running', containerStatuses: [{ name: 'main', ready: true }] });
    }
    expect(new Set(list.items.map(({ status }) => status.podIP)).size).toBe(3);
  });

  it('a Job completes', async () => {
    const path = '/apis/batch/v1/namespaces/default/jobs';

    await create(path, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'once' },
      spec: { template: template({ app: 'once' }, { restartPolicy: 'Never' }) },
    });

    await expect.poll(() => read(`${path}/once`), { timeout }).toMatchObject({ status: { succeeded: 1 } });
  });

  it('a namespace goes with everything in it, running pods too', async () => {
    const labels = { app: 'doomed' };
    await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doomed' } });
    await create('/apis/apps/v1/namespaces/doomed/deployments', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'doomed' },
      spec: { selector: { matchLabels: labels }, template: template(labels) },
    });
    await expect
      .poll(() => read('/apis/apps/v1/namespaces/doomed/deployments/doomed'), { timeout })
      .toMatchObject({ status: { availableReplicas: 1 } });

    await connection.request('/api/v1/namespaces/doomed', { method: 'DELETE' });

    await expect
      .poll(async () => (await connection.request('/api/v1/namespaces/doomed')).status, { timeout })
      .toBe(404);
  });

  it('goes on after a kill -9 of the API server', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments/web';
    await plane.killApiServer();
    await plane.restartApiServer();

    await connection.request(`${path}/scale`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { replicas: 5 } },
      accept: [],
    });

    await expect.poll(() => read(path), { timeout }).toMatchObject({ status: { availableReplicas: 5 } });
  });
});
