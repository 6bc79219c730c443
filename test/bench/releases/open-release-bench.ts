import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  applications,
  bindings,
  components,
  environments,
  snapshots,
} from '../../../shared/contracts/kubernetes/kinds.ts';
import { gitTokens, openReleaseGit } from '../../support/release-world.ts';
import { until } from '../../support/until.ts';
import { type GitOpsBench, openGitOpsBench } from '../gitops/open-gitops-bench.ts';
import { tellState } from '../gitops/tell-state.ts';

const execute = promisify(execFile);
const namespace = 'releases';
const patienceMs = 60_000;

export interface ReleaseBench extends Pick<GitOpsBench, 'sql' | 'quiet' | 'close'> {
  /** Makes Bindings of one application, and waits until all stand in its repository. */
  makeBindings(names: readonly string[]): Promise<void>;
  /** Changes what one of them renders. */
  change(name: string, replicas: number): Promise<void>;
  /** Where the branch of the repository is. */
  head(): Promise<string>;
  /** Resolves with the moment when the branch was seen to have moved on. */
  moved(from: string): Promise<number>;
  commits(since: string): Promise<number>;
  /** A clone with a working tree, as a person has one; each call is one change, committed and pushed by git itself. */
  openBareGit(): Promise<(at: number) => Promise<void>>;
}

/** The product's host on a real API server, and a repository behind real git over HTTP. */
export async function openReleaseBench(): Promise<ReleaseBench | undefined> {
  const git = await openReleaseGit();
  const bench = await openGitOpsBench({ environment: git.settings });
  if (bench === undefined) {
    await git.stop();
    return undefined;
  }
  const cluster = openCluster({ connection: bench.connection });
  await bench.makeNamespaces([namespace]);
  await cluster.create(applications, { metadata: { namespace, name: 'shop' }, spec: { displayName: 'Shop' } });
  await cluster.create(components, {
    metadata: { namespace, name: 'web' },
    spec: { application: 'shop', componentName: 'web', source: { git: { url: 'https://example.com/shop.git' } } },
  });
  const image = 'registry.example.com/shop/web:1';
  await cluster.create(snapshots, {
    metadata: { namespace, name: 'first' },
    spec: { application: 'shop', components: [{ name: 'web', containerImage: image }] },
  });
  const url = await until('a repository', async () => {
    const found = await cluster.read(applications, { namespace, name: 'shop' });
    return found?.status?.gitops?.repositoryURL;
  });
  const reference = join(git.folder, 'git', new URL(url).pathname, 'refs/heads/main');
  const head = async (): Promise<string> => (await readFile(reference, 'utf8').catch(() => '')).trim();

  return {
    sql: bench.sql,
    quiet: bench.quiet,
    head,
    async makeBindings(names) {
      await Promise.all(
        names.map(async (name) => {
          const spec = { displayName: name, deploymentStrategy: 'Manual' };
          await cluster.create(environments, { metadata: { namespace, name }, spec });
          await cluster.create(bindings, {
            metadata: { namespace, name },
            spec: { application: 'shop', environment: name, snapshot: 'first', components: [] },
          });
        }),
      );
      await until(
        'all overlays',
        async () => {
          const [row] =
            await bench.sql`select count(*)::int as done from binding_overlay where rendered_digest = wanted_digest`;
          return Number(row?.['done']) >= names.length;
        },
        300_000,
      );
      await bench.quiet();
    },
    async change(name, replicas) {
      const spec = { components: [{ name: 'web', configuration: { replicas } }] };
      await cluster.patch(bindings, { namespace, name }, { spec });
    },
    async moved(from) {
      const deadline = performance.now() + patienceMs;
      for (;;) {
        if ((await head()) !== from) return performance.now();
        if (performance.now() > deadline) throw new Error(`the branch stays at ${from}\n${await tellState(bench.sql)}`);
        await pause(1);
      }
    },
    async commits(since) {
      return Number(await git.git(url, 'rev-list', '--count', `${since}..main`));
    },
    async openBareGit() {
      const other = await git.createRepository(`${namespace}/bare`);
      await git.commit(other, { 'file.yaml': 'turn: 0\n' });
      const clone = join(git.folder, 'by-hand');
      const address = new URL(other);
      address.username = 'git';
      address.password = gitTokens.tenant;
      const env = { PATH: process.env['PATH'], HOME: git.folder, GIT_CONFIG_NOSYSTEM: '1' };
      await execute('git', ['clone', '-q', address.href, clone], { env });
      for (const [key, value] of [
        ['user.name', 'bare'],
        ['user.email', 'bare@example.com'],
        ['gc.auto', '0'],
      ] as const)
        await execute('git', ['-C', clone, 'config', key, value], { env });
      return async (at) => {
        await writeFile(join(clone, 'file.yaml'), `turn: ${at + 1}\n`);
        await execute('git', ['-C', clone, 'commit', '-q', '-a', '-m', `turn ${at}`], { env });
        await execute('git', ['-C', clone, 'push', '-q'], { env });
      };
    },
    async close() {
      await bench.close();
      await git.stop();
    },
  };
}
