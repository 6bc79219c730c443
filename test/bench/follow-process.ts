/** The child of follow-10k.ts: a watch forwarder alone in its process, so that its memory can be told from the rest. */
import { startForwarding } from '../../infra/host/watch/start-forwarding.ts';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';

const [kubeconfigPath] = process.argv.slice(2);
const silent = { error() {}, warn() {}, info() {}, debug() {} };
const forwarding = startForwarding({
  connection: connectCluster({ kubeconfigPath, now: Date.now }),
  kinds: [
    {
      group: 'appstudio.redhat.com',
      version: 'v1alpha1',
      plural: 'deploymenttargetclaims',
      kind: 'DeploymentTargetClaim',
      namespaced: true,
    },
  ],
  target: async ({ events }) => {
    process.send?.({
      names: events.map(({ object }) => object.metadata.name),
      at: performance.timeOrigin + performance.now(),
    });
  },
  log: silent,
  pace: { now: Date.now },
});

process.on('message', (word) => {
  if (word !== 'weigh') return;
  globalThis.gc?.();
  const [state] = forwarding.health();
  process.send?.({ rss: process.memoryUsage().rss, heap: process.memoryUsage().heapUsed, known: state?.known ?? 0 });
});
process.once('SIGTERM', () => void forwarding.stop().then(() => process.exit(0)));
process.send?.({ up: true });
