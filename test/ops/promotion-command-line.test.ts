import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedKubernetes } from '../../infra/embedded/kubernetes/start-embedded-kubernetes.ts';
import { applyCrds, ownCrds, readCrds } from '../../infra/kubernetes/apply-crds.ts';
import { type ClusterConnection, connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import {
  applications,
  environments,
  namespaces,
  promotionRuns,
  snapshots,
} from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { until } from '../support/until.ts';
import { openPromotionScene, type PromotionScene } from './promotion-scene.ts';
import { commitOf, openReleaseScene } from './release-scene.ts';
import { runOps } from './run-ops.ts';
import { openWorld, type World } from './world.ts';

describe('promotions on the command line', () => {
  let folder: string;
  let world: World;
  let server: Awaited<ReturnType<typeof startEmbeddedKubernetes>>;
  let connection: ClusterConnection;
  let cluster: Cluster;
  let scene: PromotionScene;
  let settings: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-promotions-'));
    world = await openWorld();
    server = await startEmbeddedKubernetes({ folder });
    connection = connectCluster({ kubeconfigPath: server.kubeconfigFile, now: Date.now });
    await applyCrds(connection, readCrds(ownCrds));
    cluster = openCluster({ connection });
    const inTeam = (name: string) => ({ namespace: 'team-a', name });
    await cluster.create(namespaces, { metadata: { name: 'team-a' } });
    await cluster.create(applications, { metadata: inTeam('shop'), spec: { displayName: 'shop' } });
    await cluster.create(snapshots, {
      metadata: inTeam('s1'),
      spec: { application: 'shop', components: [{ name: 'web', containerImage: 'quay.io/shop/web:1' }] },
    });
    for (const [name, parentEnvironment] of [
      ['zero', ''],
      ['stage', 'zero'],
    ] as const)
      await cluster.create(environments, {
        metadata: inTeam(name),
        spec: { displayName: name, deploymentStrategy: 'Manual', parentEnvironment },
      });
    settings = { ...world.settings, KUBECONFIG: server.kubeconfigFile };

    const releases = openReleaseScene(world.sql);
    scene = openPromotionScene(world.sql);
    const repository = await releases.aRepository('team-a');
    const zero = await releases.wants(repository, 'zero', 's1', { promotion: 'thursday' });
    await scene.stands(repository, zero, commitOf('9fceb02'), ['web']);
    await scene.says('team-a', 'shop-zero-shop-zero-web');
    await releases.wants(repository, 'stage', 's1');
    const friday = await scene.aRun('team-a', 'friday');
    await scene.takesTurn(friday);
    await scene.step(friday, 'stage', { message: 'git said: token=s3cr3t-value \u001b[31m' });
  });
  afterAll(async () => {
    await connection.close();
    await server.stop();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('says how long it follows in the words that it takes', async () => {
    const { out } = await runOps(['promote', '--help'], settings);

    expect(out.replace(/\s+/g, ' ')).toContain('(default: 30m)');
  });

  it.each([
    [
      'the board',
      ['status'],
      /team-a\/shop +zero +s1 +Healthy .*\nteam-a\/shop +stage .*friday: git said: token=\*\*\*/,
    ],
    ['the board of an application', ['status', 'team-a/shop', '--limit', '1'], /zero .*\n… and 1 more/],
    ['a history', ['history', 'team-a/shop', 'zero'], /s1 +9fceb02000 +thursday/],
  ])('shows %s, without a secret and without anything that a terminal obeys', async (_what, args, shown) => {
    const before = await world.census();

    const { code, out, err } = await runOps(args, settings);

    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(shown);
    expect(out).not.toContain('s3cr3t');
    expect(out).not.toContain('\u001b');
    expect(await world.census()).toEqual(before);
  });

  it.each([
    [
      ['status', 'team-a'],
      { places: [{ environment: 'zero', cell: { health: 'Healthy' } }, { environment: 'stage' }] },
    ],
    [['history', 'team-a/shop', 'zero'], { arrivals: [{ snapshot: 's1', promotion: 'thursday' }] }],
    [
      ['promote', 'team-a/shop', '--snapshot', 's1', '--to', 'zero', '--yes', '--name', 'monday'],
      { promotion: 'monday', before: ['friday'] },
    ],
  ])('speaks JSON for %j', async (args, value) => {
    const { code, out, err } = await runOps([...args, '--json'], settings);

    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject(value);
    expect(out).not.toContain('s3cr3t');
  });

  it('follows with --wait until time is up, and tells how it goes beside the result', async () => {
    const args = ['promote', 'team-a/shop', '--snapshot', 's1', '--to', 'zero', '--yes', '--name', 'late'];

    const { code, out, err } = await runOps([...args, '--wait', '--timeout', '6s'], settings);

    expect(code).toBe(5);
    expect(err).toMatch(/\d\d:\d\d:\d\d {2}late has not been looked at yet/);
    expect(out).toContain('Time is up');
  });

  it.each([
    [2, ['history', 'team-a/shop']],
    [2, ['promote', 'team-a/shop', '--to', 'zero']],
    [2, ['promote', 'team-a/shop', '--snapshot', 's1', '--to', 'zero', '--wait', '--timeout', 'soon']],
    [2, ['promote', 'team-a/shop', '--snapshot', 's1', '--to', 'zero']],
    [3, ['promote', 'team-a/shop', '--snapshot', 's2', '--to', 'zero']],
    [3, ['status', 'team-z']],
    [3, ['status', 'team-a/blog']],
    [3, ['history', 'team-a/shop', 'nowhere']],
  ])('ends with %i for %j', async (expected, args) => {
    const { code, out, err } = await runOps(args, settings);

    expect([code, out]).toEqual([expected, '']);
    expect(err).not.toBe('');
  });

  it('makes nothing where --timeout has no --wait that it is for, and says what to add', async () => {
    const args = ['promote', 'team-a/shop', '--snapshot', 's1', '--to', 'zero', '--yes', '--name', 'hasty'];

    const { code, out, err } = await runOps([...args, '--timeout', '20m'], settings);

    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('add --wait');
    expect(await cluster.read(promotionRuns, { namespace: 'team-a', name: 'hasty' })).toBeUndefined();
  });

  it('ends with 3 where there is nothing to explain, and says so as JSON, too', async () => {
    // The functions of the product, not those of the test tree.
    const { MAP_FILE: _, ...ofProduct } = settings;
    const there = await runOps(['explain', 'Environment', 'team-a/zero'], ofProduct);
    const people = await runOps(['explain', 'PromotionRun', 'team-a/nobody'], ofProduct);
    const machine = await runOps(['explain', 'PromotionRun', 'team-a/nobody', '--json'], ofProduct);

    expect(there.code).toBe(0);
    expect([people.code, machine.code]).toEqual([3, 3]);
    expect(people).toMatchObject({ out: '', err: expect.stringContaining('There is no PromotionRun team-a/nobody') });
    expect(JSON.parse(machine.out)).toEqual({ error: people.err.trim() });
  });

  it('tells what stands where while the cluster is away', async () => {
    const { code, out } = await runOps(['status', 'team-a'], world.settings);

    expect(code).toBe(0);
    expect(out).toMatch(/shop +zero +s1 +Healthy/);
  });

  it('follows in lines that nobody can forge', async () => {
    const key = { namespace: 'team-a', name: 'forged' };
    const args = ['promote', 'team-a/shop', '--snapshot', 's1', '--to', 'zero', '--yes', '--name', key.name];
    const running = runOps([...args, '--wait', '--timeout', '8s'], settings);
    const made = await until('the run', () => cluster.read(promotionRuns, key));
    const end = '2026-01-01T11:00:00Z';
    const message = 'friday goes first\n12:00:00  forged ended with Success after 2 s';
    const waiting = { reason: 'AnotherPromotionActive', message, since: end, until: end };
    await scene.aRun(key.namespace, key.name, { uid: made.metadata.uid, waiting });

    const { err } = await running;

    expect(err).toContain('friday goes first 12:00:00  forged ended');
    expect(err).not.toMatch(/^\S+ {2}forged ended/m);
  });

  it.each(['promote', 'status', 'history'])('explains %s with --help', async (name) => {
    const { code, out } = await runOps([name, '--help'], {});

    expect(code).toBe(0);
    expect(out).toContain(`npm run ops -- ${name} `);
    expect(out).toMatch(name === 'promote' ? /Writes,\s+and\s+asks/ : /Changes\s+nothing/);
    for (const part of ['--json', 'Exit codes:', 'Examples:', '  5  promote --wait']) expect(out).toContain(part);
  });
});
