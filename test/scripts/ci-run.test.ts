import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countReport } from '../../scripts/ci/summarise.ts';
import { describeWithGit } from '../support/needs-git.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the stand-in for npm does at each of its verbs, as lines of shell. `$report` is where vitest would write. */
interface Npm {
  readonly ci?: string;
  readonly test?: string;
  readonly check?: string;
  readonly real?: string;
}

describeWithGit('.ci/run', () => {
  it('adds up the tests of the README command and of test:real in its last line', async () => {
    const { code, lines } = await runCi({
      test: writes('passed', 'passed', 'skipped'),
      real: writes('passed', 'skipped'),
    });

    expect(lines.at(-1)).toBe('3 passed, 0 failed, 2 skipped');
    expect(code).toBe(0);
  });

  it.each<[string, Npm, string]>([
    ['a test fails', { test: `${writes('passed', 'failed')}; exit 1` }, '2 passed, 1 failed, 0 skipped'],
    ['a real test fails', { real: `${writes('failed')}; exit 1` }, '1 passed, 1 failed, 0 skipped'],
    ['vitest fails though no test did', { test: `${writes('passed')}; exit 1` }, '2 passed, 1 failed, 0 skipped'],
    ['vitest dies before it reports', { test: 'exit 139' }, '1 passed, 1 failed, 0 skipped'],
    ['the check fails', { check: 'exit 1' }, '2 passed, 1 failed, 0 skipped'],
    ['npm ci fails', { ci: 'exit 1' }, '1 passed, 1 failed, 0 skipped'],
    ['no test is executed', { test: writes(), real: writes('skipped') }, '0 passed, 0 failed, 1 skipped'],
    ['something is left in the clone', { test: `touch stray; ${writes('passed')}` }, '2 passed, 1 failed, 0 skipped'],
  ])('fails when %s, and still takes the other steps', async (_what, npm, line) => {
    const { code, lines } = await runCi(npm);

    expect(lines.at(-1)).toBe(line);
    expect(code).toBe(1);
    expect(lines).toContain('the check was run');
  });

  it('fails when the README does not say how to test', async () => {
    const { code, lines } = await runCi({}, 'Stagecoach\n');

    expect(lines).toContainEqual(expect.stringContaining('README.md does not say "npm ci && npm test"'));
    expect(lines.at(-1)).toBe('1 passed, 1 failed, 0 skipped');
    expect(code).toBe(1);
  });
});

describe('a report of vitest', () => {
  it.each([
    ['that was never written', undefined],
    ['that was cut off', '{"testResults": [{"sta'],
    ['that is something else', 'null'],
    ['of a file that could not be loaded', '{"testResults": [{"status": "failed", "assertionResults": []}]}'],
  ])('%s counts as a failure', (_what, text) => {
    expect(countReport(text)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

/** Runs it in a clone of three files, with a stand-in for npm, because a test must not install anything. */
async function runCi(npm: Npm, readme = 'Run `npm ci && npm test`.\n'): Promise<{ code: number; lines: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [clone, bin, temporary] = ['clone', 'bin', 'tmp'].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [bin, temporary, join(clone, 'node_modules/.bin')]) mkdirSync(path, { recursive: true });
  for (const path of ['.ci/run', 'scripts/ci/summarise.ts']) cpSync(join(root, path), join(clone, path));
  symlinkSync(process.execPath, join(clone, 'node_modules/.bin/node'));
  writeFileSync(join(clone, 'README.md'), readme);
  writeFileSync(join(clone, '.gitignore'), 'node_modules/\n');
  writeFileSync(join(bin, 'npm'), standIn(npm));
  // A Python that is new enough and a Redis, so that nothing asks apt for one.
  for (const tool of ['python3.14', 'redis-server', 'chromium']) writeFileSync(join(bin, tool), '#!/bin/sh\n');
  for (const tool of ['npm', 'python3.14', 'redis-server', 'chromium']) chmodSync(join(bin, tool), 0o755);
  const env = { PATH: `${bin}:${process.env['PATH']}`, TMPDIR: temporary, HOME: folder };
  await run('git', ['init', '-q'], clone, env);

  const ended = await run(join(clone, '.ci/run'), [], folder, env);

  expect(readdirSync(temporary)).toEqual([]);
  expect(existsSync(join(clone, 'node_modules'))).toBe(true);
  return ended;
}

function standIn({ ci = '', test = writes('passed'), check = '', real = writes('passed') }: Npm): string {
  return `#!/usr/bin/env bash
for argument; do report=\${argument#--outputFile=}; done
case "$*" in
  ci*) ${ci || ':'} ;;
  test*) ${test} ;;
  'run check'*) echo 'the check was run'; ${check || ':'} ;;
  'run test:real'*) ${real} ;;
esac
`;
}

function writes(...tests: string[]): string {
  const report = {
    testResults: [
      { status: tests.includes('failed') ? 'failed' : 'passed', assertionResults: tests.map((status) => ({ status })) },
    ],
  };
  return `echo '${JSON.stringify(report)}' > "$report"`;
}

function run(
  file: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env, timeout: 60_000 }, (error, stdout) => {
      resolve({ code: error === null ? 0 : Number(error.code), lines: stdout.trimEnd().split('\n') });
    });
  });
}
