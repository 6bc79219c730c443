import { type ExecFileException, execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'stagecoach-new-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const left = ['node_modules', '.git', '.stagecoach', '.serverless', 'dist', 'coverage'];
cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(basename(path)) });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

/** A name that nobody will take: it is put together from a verb and a noun with a message of its own. */
const name = 'reclaim-class';
const files = [`functions/${name}/index.ts`, 'shared/domain/class/reclaim.ts', 'test/domain/class/reclaim.test.ts'];

describe('npm run new', { timeout: 240_000 }, () => {
  it.each([
    ['a verb of its own making', ['juggle-class'], /"juggle-class" cannot be .* ingest, forward/],
    ['a name without a noun', ['reclaim'], /"reclaim" cannot be/],
    ['a path', ['../reclaim-class'], /cannot be the name/],
    ['no name', [], /Give one name/],
    ['two names', ['reclaim-class', 'bind-claim'], /Give one name/],
    [
      'a function that is there',
      ['ingest-audit', '--consumes', 'class.changed.v1'],
      /functions\/ingest-audit is there already/,
    ],
    [
      'a noun that no message is about',
      ['reclaim-moon'],
      /No message is called moon\.changed\.v1.*class\.changed\.v1/s,
    ],
    [
      'a message that is not in the catalog',
      ['reclaim-class', '--consumes', 'moon.rose.v1'],
      /No message is called moon\.rose\.v1/,
    ],
    ['an option that it does not know', ['reclaim-class', '--force'], /'--force'/],
  ])('refuses %s', async (_what, args, complaint) => {
    const before = listing();

    const { code, stderr } = await runNew(...args);

    expect(code).toBe(2);
    expect(stderr).toMatch(complaint);
    expect(listing()).toEqual(before);
  });

  it('says in a dry run what it would write, and writes nothing', async () => {
    const before = listing();

    const { code, stdout } = await runNew(name, '--dry-run');

    expect(code).toBe(0);
    for (const file of [...files, 'serverless.yml']) expect(stdout).toContain(file);
    expect(listing()).toEqual(before);
  });

  it('writes a function that keeps every rule of the house, and one red test that says what to write first', async () => {
    expect((await runNew(name)).code).toBe(0);

    const report = join(copy, 'report.json');
    const [types, lint, tests] = await Promise.all([
      run('tsc', '--noEmit'),
      run('biome', 'ci', ...files),
      run(
        'vitest',
        'run',
        '--config',
        'test/vitest.config.ts',
        '--reporter=json',
        `--outputFile=${report}`,
        'test/architecture',
        'test/domain/class',
      ),
    ]);

    expect(types).toMatchObject({ code: 0, stdout: '' });
    expect(lint).toMatchObject({ code: 0 });
    expect(tests.code).toBe(1);
    expect(failuresOf(report)).toEqual([
      expect.stringContaining(
        `${name} has no rule yet. Write here, as a sentence, the first thing that it must do; then make shared/domain/class/reclaim.ts do it.`,
      ),
    ]);
  });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function runNew(...args: string[]): Promise<Ended> {
  return run('node', 'scripts/new-function.ts', ...args);
}

/** Runs a tool of the project in the copy, without what this test run has put into the environment. */
function run(tool: string, ...args: string[]): Promise<Ended> {
  const tools = join(root, 'node_modules/.bin');
  const env = { PATH: `${tools}:${process.env['PATH']}`, HOME: process.env['HOME'], NO_COLOR: '1', CI: 'true' };
  return new Promise((resolve) => {
    execFile(
      join(tools, tool),
      args,
      { cwd: copy, env, timeout: 200_000, maxBuffer: 1e8 },
      (error: ExecFileException | null, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}

/** The failed tests by name, with what they say; a file that could not be loaded has no tests, and says it itself. */
function failuresOf(report: string): string[] {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: {
      message: string;
      assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
    }[];
  };
  return testResults.flatMap(({ message, assertionResults }) => {
    if (assertionResults.length === 0) return [message];
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    return failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.split('\n')[0]}`);
  });
}

function listing(): string[] {
  return ['functions', 'shared/domain', 'test/domain']
    .flatMap((folder) => readdirSync(join(copy, folder), { recursive: true }).map(String))
    .concat(readFileSync(join(copy, 'serverless.yml'), 'utf8'));
}
