import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { processesIn } from './processes-in.ts';

const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager']);
// Far more than it takes, even on a machine that does ten other things.
const startMs = 150_000;
const holder = fileURLToPath(new URL('hold-control-plane.ts', import.meta.url));

describe.skipIf('missing' in real)(`the process that started a control plane is killed${reasonOf(real)}`, () => {
  let folder: string;
  let parent: ChildProcess | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stagecoach-plane-'));
  });

  afterEach(async () => {
    // Only where the test failed is anything left.
    parent?.kill('SIGKILL');
    for (const id of await processesIn(folder)) process.kill(id, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    // The kernel ends the three programs.
    ['main thread', 'main', 3],
    // There a supervisor beside each of them does it.
    ['worker thread', 'worker', 6],
  ])(
    'and nothing is left running of what its %s started',
    async (_thread, where, processes) => {
      const options = { parts: partsOf(real), folder, controllerManager: true };
      const child = spawn(process.execPath, [holder, where, JSON.stringify(options)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      parent = child;
      const [line] = await once(createInterface({ input: child.stdout }), 'line', {
        signal: AbortSignal.timeout(startMs),
      });
      const running = await processesIn(folder);

      child.kill('SIGKILL');

      expect(line).toBe('ready');
      expect(running.length).toBeGreaterThanOrEqual(processes);
      await expect.poll(() => processesIn(folder), { timeout: 20_000 }).toEqual([]);
    },
    200_000,
  );
});
