import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildParts } from '../../../infra/real/build-parts.ts';

let folder: string;
let cache: string;
let said: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stagecoach-build-'));
  cache = join(folder, 'cache');
  said = [];
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function options(path = `${folder}/bin:${process.env['PATH']}`) {
  return { cache, report: (line: string) => said.push(line), environment: { PATH: path } };
}

/** A Go that takes note of what it is asked for and makes a file instead of a program. */
async function installGo({ version = '1.99.0', build = 'echo program > "$output"' } = {}): Promise<void> {
  const module = join(folder, 'module');
  await mkdir(join(module, 'manifests', 'crds'), { recursive: true });
  await writeFile(join(module, 'manifests', 'crds', 'one.yaml'), 'kind: One\n');
  await mkdir(join(folder, 'bin'));
  const script = `#!/bin/sh
echo "$*" >> ${folder}/asked
case "$1 $2" in
  "version ") echo "go version go${version} linux/amd64" ;;
  "list -m") echo ${module} ;;
  "list -deps") printf 'a\\nb\\nc\\n' ;;
  build*) output=$(echo "$*" | sed 's/.* -o \\([^ ]*\\) .*/\\1/'); echo a >&2; ${build} ;;
esac
`;
  await writeFile(join(folder, 'bin', 'go'), script);
  await chmod(join(folder, 'bin', 'go'), 0o700);
}

async function builds(): Promise<string[]> {
  const asked = await readFile(join(folder, 'asked'), 'utf8');
  return asked.split('\n').filter((line) => line.startsWith('build'));
}

describe('the real parts are built into a cache', () => {
  it('once, with progress, and found there from then on', async () => {
    await installGo();

    const first = await buildParts(['etcd', 'kubectl'], options());
    const second = await buildParts(['etcd', 'kubectl'], options(`${folder}/nothing`));

    expect(first).toEqual({
      parts: {
        etcd: expect.stringMatching(/\/parts\/etcd-3\.6\.16-[0-9a-f]{12}\/etcd$/),
        kubectl: expect.stringMatching(/\/parts\/kubectl-1\.36\.3-[0-9a-f]{12}\/kubectl$/),
      },
    });
    expect(second).toEqual(first);
    expect(await builds()).toHaveLength(2);
    expect(said).toContainEqual(expect.stringMatching(/^kubectl 1\.36\.3: built in \d+ s$/));
  });

  it('with the version that clients are told', async () => {
    await installGo();

    await buildParts(['kube-apiserver'], options());

    expect((await builds())[0]).toContain('-X k8s.io/component-base/version.gitVersion=v1.36.3');
  });

  it('with the CRDs of Argo CD beside its program', async () => {
    await installGo();

    const built = await buildParts(['argo-cd'], options());

    const program = 'parts' in built ? built.parts['argo-cd'] : '';
    expect(await readdir(join(dirname(program), 'crds'))).toEqual(['one.yaml']);
  });

  it('by one process at a time; another waits, says so, and builds nothing', async () => {
    const goOn = join(folder, 'go-on');
    await installGo({ build: `while [ ! -e ${goOn} ]; do sleep 0.1; done; echo program > "$output"` });

    const both = Promise.all([buildParts(['etcd'], options()), buildParts(['etcd'], options())]);
    await expect
      .poll(() => said, { timeout: 20_000 })
      .toContain(`Another process builds into ${cache}; waiting for it to finish`);
    await writeFile(goOn, '');

    const [first, second] = await both;
    expect(second).toEqual(first);
    expect(await builds()).toHaveLength(1);
  });

  it('and not half: what a killed build left is cleared away', async () => {
    await installGo();
    await mkdir(join(cache, 'parts', '.unfinished-abc'), { recursive: true });

    await buildParts(['etcd'], options());

    const left = (await readdir(join(cache, 'parts'))).filter((name) => name.startsWith('.'));
    expect(left).toEqual([]);
  });

  it('a build that fails is an error with the words of the compiler, and is tried again the next time', async () => {
    await installGo({ build: 'echo "main.go:1:1: undefined: x" >&2; exit 1' });

    const failing = buildParts(['etcd'], options());

    await expect(failing).rejects.toThrow('main.go:1:1: undefined: x');
    expect((await readdir(join(cache, 'parts'))).filter((name) => name !== 'lock.db')).toEqual([]);
    await expect(buildParts(['etcd'], options())).rejects.toThrow('undefined: x');
  });
});

describe('where the real parts cannot be built, the reason is given', () => {
  it('Go is not there', async () => {
    const built = await buildParts(['etcd', 'kubectl'], options(`${folder}/nothing`));

    expect(built).toEqual({
      missing: 'etcd, kubectl cannot be built. Go was not found: install Go 1.26.0 or newer and put it on the PATH',
    });
    expect(existsSync(cache)).toBe(false);
  });

  it('Go is too old', async () => {
    await installGo({ version: '1.9.7' });

    const built = await buildParts(['etcd'], options());

    expect(built).toEqual({
      missing: 'etcd cannot be built. Go 1.9.7 is too old: install Go 1.26.0 or newer and put it on the PATH',
    });
  });
});
