import { readFileSync } from 'node:fs';
import process from 'node:process';
import { openLogger } from '../../../shared/adapters/telemetry/logger.ts';
import { onKeptPort } from '../on-kept-port.ts';
import { serveParent } from '../serve-parent.ts';
import { startEmbeddedGit } from './start-embedded-git.ts';

// The child of spawn-embedded-git.ts: `main.ts <folder> <file with the token> <PATH to find git in>`.
const [folder, tokenFile, searchPath] = process.argv.slice(2);
if (folder === undefined || tokenFile === undefined) {
  process.stderr.write('Usage: main.ts <folder> <token file> [search path]\n');
  process.exit(64);
}
const token = readFileSync(tokenFile, 'utf8').trim();
const log = openLogger({
  level: 'info',
  clock: { now: () => Date.now() },
  write: (line) => void process.stderr.write(line),
});
const server = await onKeptPort(folder, undefined, async (port) => {
  const git = await startEmbeddedGit({ folder, port, tokens: [{ token, access: 'write' }], log, searchPath });
  return { git, port: Number(new URL(git.url).port) };
});
serveParent({ url: server.git.url }, () => server.git.stop());
