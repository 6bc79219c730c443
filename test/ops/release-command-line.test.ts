import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedKubernetes } from '../../infra/embedded/kubernetes/start-embedded-kubernetes.ts';
import { applyCrds, ownCrds, readCrds } from '../../infra/kubernetes/apply-crds.ts';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import { namespaces, snapshots } from '../../shared/contracts/kubernetes/kinds.ts';
import { commitOf, openReleaseScene } from './release-scene.ts';
import { runOps } from './run-ops.ts';
import { openWorld, type World } from './world.ts';

const commit = commitOf('9fceb02');

describe('snapshots and repositories on the command line', () => {
  let folder: string;
  let world: World;
  let server: Awaited<ReturnType<typeof startEmbeddedKubernetes>>;
  let settings: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-releases-'));
    world = await openWorld();
    server = await startEmbeddedKubernetes({ folder });
    const connection = connectCluster({ kubeconfigPath: server.kubeconfigFile, now: Date.now });
    await applyCrds(connection, readCrds(ownCrds));
    const cluster = openCluster({ connection });
    await cluster.create(namespaces, { metadata: { name: 'team-a' } });
    for (const name of ['shop-1', 'shop-2'])
      await cluster.create(snapshots, {
        metadata: { namespace: 'team-a', name },
        spec: { application: 'shop', components: [{ name: 'web', containerImage: 'quay.io/shop/web:1' }] },
      });
    await connection.close();
    settings = { ...world.settings, KUBECONFIG: server.kubeconfigFile };

    const scene = openReleaseScene(world.sql);
    const repository = await scene.aRepository('team-a', { url: 'https://me:hunter2@git.example.com/shop.git' });
    await scene.commits(repository, commit, await scene.wants(repository, 'dev', 'shop-1'));
    const message = 'git said: token=s3cr3t-value \u001b[31m';
    await scene.refuses(await scene.wants(repository, 'stage', 'shop-1'), 'Forbidden', message);
  });
  afterAll(async () => {
    await server.stop();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['snapshots of a namespace', ['snapshots', 'team-a'], 'shop-2'],
    ['snapshots of an application', ['snapshots', 'list', 'team-a/shop', '--limit', '5'], 'shop-1'],
    ['one snapshot', ['snapshots', 'show', 'team-a/shop-1'], 'quay.io/shop/web:1'],
    ['the snapshots of a commit', ['snapshots', 'of', '9fceb02'], 'team-a/shop-1'],
    ['the repositories of a namespace', ['repositories', 'team-a'], 'https://***@git.example.com/shop.git'],
  ])('shows %s, without a secret and without anything that a terminal obeys', async (_what, args, shown) => {
    const before = await world.census();

    const { code, out, err } = await runOps(args, settings);

    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(shown);
    expect(out).not.toMatch(/hunter2|s3cr3t/);
    expect(out).not.toContain('\u001b');
    expect(await world.census()).toEqual(before);
  });

  it.each([
    [
      ['snapshots', 'team-a', '--orphaned'],
      { namespace: 'team-a', orphanedOnly: true, snapshots: [{ name: 'shop-2' }] },
    ],
    [['snapshots', 'show', 'team-a/shop-1'], { name: 'shop-1', runsIn: ['dev'], commits: [{ commit }] }],
    [['snapshots', 'of', commit], { commit, snapshots: [{ snapshot: 'shop-1', environment: 'dev' }] }],
    [['repositories'], { repositories: [{ isMade: true, waiting: ['shop-stage'], trouble: { reason: 'Forbidden' } }] }],
  ])('speaks JSON for %j', async (args, value) => {
    const { code, out, err } = await runOps([...args, '--json'], settings);

    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject(value);
    expect(out).not.toMatch(/hunter2|s3cr3t/);
  });

  it.each([
    [2, ['snapshots']],
    [2, ['snapshots', 'of', 'main']],
    [3, ['repositories', 'team-z']],
  ])('ends with %i for %j', async (expected, args) => {
    const { code, out, err } = await runOps(args, settings);

    expect([code, out]).toEqual([expected, '']);
    expect(err).not.toBe('');
  });

  it('tells what a commit was made of while there is no cluster to ask', async () => {
    const { code, out } = await runOps(['snapshots', 'of', commit], world.settings);

    expect(code).toBe(0);
    expect(out).toContain('team-a/shop-1');
  });

  it.each(
    [['snapshots', 'list'], ['snapshots', 'show'], ['snapshots', 'of'], ['repositories']].map(
      (words) => [words.join(' '), words] as const,
    ),
  )('explains %s with --help', async (name, words) => {
    const { code, out } = await runOps([...words, '--help'], {});

    expect(code).toBe(0);
    expect(out).toContain(`npm run ops -- ${name} `);
    expect(out).toMatch(/Changes\s+nothing/);
    for (const part of ['--json', '--limit', 'Exit codes:', 'Examples:']) expect(out).toContain(part);
  });
});
