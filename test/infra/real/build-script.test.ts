import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/real/build.ts', import.meta.url));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without Go, and with a cache that is not there and never made. */
function run(...args: string[]): Promise<Ended> {
  const env = { PATH: '/nonexistent', STAGECOACH_CACHE: join(tmpdir(), 'stagecoach-no-cache') };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env, timeout: 20_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe('node scripts/real/build.ts', () => {
  it('explains itself with examples and exit codes', async () => {
    const { code, stdout } = await run('--help');

    expect(code).toBe(0);
    expect(stdout).toContain('node scripts/real/build.ts etcd kube-apiserver');
    expect(stdout).toMatch(/argo-cd +3\.5\.6/);
    expect(stdout).toContain('Exit codes: 0');
  });

  it.each([
    ['a part that there is not', 'etcetera', 'There is no part etcetera; the parts are etcd, kube-apiserver,'],
    ['an option that there is not', '--fast', "Unknown option '--fast'"],
  ])('refuses %s with code 2', async (_what, argument, message) => {
    const { code, stderr } = await run(argument);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('ends with code 3 where Go is missing, and says what to install', async () => {
    const { code, stderr } = await run('etcd');

    expect(code).toBe(3);
    expect(stderr).toContain('install Go');
  });
});
