import process from 'node:process';
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { openLogger } from '../../../shared/adapters/telemetry/logger.ts';
import { serveParent } from '../serve-parent.ts';
import type { Kustomize } from './source/find-kustomize.ts';
import { startEmbeddedArgoCd } from './start-embedded-argo-cd.ts';

// The child of spawn-embedded-argo-cd.ts: `main.ts <folder> <kubeconfig> <PATH to find git in> <kustomize as JSON>`.
const [folder, kubeconfigPath, searchPath, kustomize] = process.argv.slice(2);
if (folder === undefined || kubeconfigPath === undefined || kustomize === undefined) {
  process.stderr.write('Usage: main.ts <folder> <kubeconfig> <search path> <kustomize>\n');
  process.exit(64);
}
const now = () => Date.now();
const log = openLogger({ level: 'warn', clock: { now }, write: (line) => void process.stderr.write(line) });
const cluster = connectCluster({ kubeconfigPath, now });
const argoCd = await startEmbeddedArgoCd({
  cluster,
  folder,
  log,
  now,
  searchPath,
  kustomize: JSON.parse(kustomize) as Kustomize,
});
serveParent({}, async () => {
  await argoCd.stop();
  await cluster.close();
});
