import { readFileSync } from 'node:fs';
import process from 'node:process';
import { serveParent } from '../serve-parent.ts';
import type { SpawnOptions } from './spawn-embedded-kubernetes.ts';
import { startEmbeddedKubernetes } from './start-embedded-kubernetes.ts';

// The child of spawn-embedded-kubernetes.ts: `main.ts <options as JSON>`. Tokens come as file names: every user of the
// machine can read arguments.
const { folder, port, audit } = JSON.parse(process.argv[2] ?? '{}') as SpawnOptions;
const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file, 'utf8').trim());
const server = await startEmbeddedKubernetes({
  folder,
  port,
  audit: audit === undefined ? undefined : { url: audit.url, token: read(audit.tokenFile), ca: read(audit.caFile) },
  log: (line) => process.stderr.write(`${line}\n`),
});
const { url, ca, adminToken, kubeconfigFile } = server;
serveParent({ url, ca, adminToken, kubeconfigFile }, () => server.stop());
