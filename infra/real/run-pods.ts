import type { ClusterConnection } from '../../shared/adapters/kubernetes/connection.ts';
import { startListWatch } from '../../shared/adapters/kubernetes/list-watch.ts';
import type { WatchEvent, WatchedObject } from '../../shared/adapters/kubernetes/watched-object.ts';
import { completedStatus, type Pod, runningStatus } from './pod-status.ts';

export interface RunPodsOptions {
  /** Hears what does not work, such as a cluster that is away. */
  readonly log?: ((line: string) => void) | undefined;
}

const node = 'stagecoach-node';
const nodePath = `/api/v1/nodes/${node}`;
const mergePatch = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } } as const;

/**
 * In place of scheduler and kubelet, which a cluster of etcd and API server does not have: one Ready node, every pending
 * pod bound to it and told to be Running and Ready, a pod that is meant to end told to have ended well, a pod in
 * deletion removed. No container runs. The connection stays the caller's.
 */
export async function runPods(
  connection: ClusterConnection,
  { log = () => {} }: RunPodsOptions = {},
): Promise<{ stop(): Promise<void> }> {
  await makeNode(connection);
  let addresses = 0;

  async function serve(pod: Pod): Promise<void> {
    const { namespace, name, uid, deletionTimestamp } = pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    // Gone, or another of the same name is there by now: its own event comes, too.
    const accept = [404, 409];
    if (deletionTimestamp !== undefined) {
      const body = { gracePeriodSeconds: 0, preconditions: { uid } };
      await connection.request(path, { method: 'DELETE', body, accept });
    } else if (pod.spec.nodeName === undefined) {
      await connection.request(`${path}/binding`, {
        method: 'POST',
        body: {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name, namespace, uid },
          target: { kind: 'Node', name: node },
        },
        accept,
      });
    } else if (pod.spec.nodeName === node && pod.status?.phase === 'Pending') {
      addresses += 1;
      const at = new Date().toISOString();
      const status =
        pod.spec.restartPolicy === 'Always' ? runningStatus(pod, at, addressOf(addresses)) : completedStatus(pod, at);
      await connection.request(`${path}/status`, { ...mergePatch, body: { metadata: { uid }, status }, accept });
    }
  }

  const warn = (msg: string, fields?: object) => log(`${msg} ${JSON.stringify(fields ?? {})}`);
  const watch = startListWatch({
    connection,
    resource: { group: '', version: 'v1', plural: 'pods', kind: 'Pod' },
    onEvents: async (batch: readonly WatchEvent[]) => {
      const present = batch.filter(({ type }) => type !== 'DELETED').map(({ object }) => asPod(object));
      const results = await Promise.allSettled(present.map(serve));
      // The others are done; a second look at them does no harm.
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    log: { error: warn, warn, info: () => {}, debug: () => {} },
    pace: { now: Date.now, backoff: { baseSeconds: 0.1, capSeconds: 1 } },
  });
  return { stop: () => watch.stop() };
}

async function makeNode(connection: ClusterConnection): Promise<void> {
  await connection.request('/api/v1/nodes', {
    method: 'POST',
    body: { apiVersion: 'v1', kind: 'Node', metadata: { name: node, labels: { 'kubernetes.io/hostname': node } } },
    accept: [409],
  });
  // Every new node is tainted until somebody says that it is ready.
  await connection.request(nodePath, { ...mergePatch, body: { spec: { taints: null } }, accept: [] });
  const resources = { cpu: '64', memory: '256Gi', pods: '5000', 'ephemeral-storage': '1Ti' };
  const at = new Date().toISOString();
  await connection.request(`${nodePath}/status`, {
    ...mergePatch,
    body: {
      status: {
        capacity: resources,
        allocatable: resources,
        addresses: [
          { type: 'InternalIP', address: '127.0.0.1' },
          { type: 'Hostname', address: node },
        ],
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'StandIn',
            message: 'No container runs on this node',
            lastHeartbeatTime: at,
            lastTransitionTime: at,
          },
        ],
      },
    },
    accept: [],
  });
}

function asPod(object: WatchedObject): Pod {
  return object as unknown as Pod;
}

/** Different for the first 65,000 pods, which is what Services and EndpointSlices tell them apart by. */
function addressOf(number: number): string {
  return `10.244.${(number >> 8) & 255}.${number & 255}`;
}
