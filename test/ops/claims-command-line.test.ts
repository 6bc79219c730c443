import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedKubernetes } from '../../infra/embedded/kubernetes/start-embedded-kubernetes.ts';
import { applyClasses } from '../../infra/kubernetes/apply-classes.ts';
import { applyCrds, ownCrds, readCrds } from '../../infra/kubernetes/apply-crds.ts';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import { claims, environments, namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { runOps } from './run-ops.ts';
import { openWorld, type World } from './world.ts';

describe('claims, onboard and environments on the command line', () => {
  let folder: string;
  let world: World;
  let server: Awaited<ReturnType<typeof startEmbeddedKubernetes>>;
  let connection: ReturnType<typeof connectCluster>;
  let cluster: Cluster;
  let settings: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-claims-'));
    world = await openWorld();
    server = await startEmbeddedKubernetes({ folder });
    connection = connectCluster({ kubeconfigPath: server.kubeconfigFile, now: Date.now });
    await applyCrds(connection, readCrds(ownCrds));
    await applyClasses(connection);
    cluster = openCluster({ connection });
    await cluster.create(namespaces, { metadata: { name: 'team-a' } });
    settings = { ...world.settings, KUBECONFIG: server.kubeconfigFile };
  });
  afterAll(async () => {
    await connection.close();
    await server.stop();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('onboards a namespace only when somebody says yes', async () => {
    const asked = await runOps(['onboard', 'team-a'], settings);
    expect([asked.code, asked.out]).toEqual([2, '']);
    expect(asked.err).toContain('Environment staging');
    expect(await cluster.read(environments, { namespace: 'team-a', name: 'staging' })).toBeUndefined();

    const done = await runOps(['onboard', 'team-a', '--yes', '--as', 'nils'], settings);
    expect(done.code).toBe(0);
    expect(done.out).toContain('Environment staging: made');
    expect(await world.sql`select actor from ledger where action = 'onboard'`).toEqual([{ actor: 'nils' }]);
  });

  it('follows with --wait, tells the lines on standard error, and gives up in time', async () => {
    const { code, out, err } = await runOps(['onboard', 'team-a', '--yes', '--wait', '1s'], settings);

    expect(code).toBe(1);
    expect(err).toContain('team-a/staging waits: nobody has looked at it yet');
    expect(out).toContain('staging is not ready');
  });

  it('clones an environment and prints its names as JSON', async () => {
    const args = ['environments', 'clone', 'team-a/staging', '--ttl', '4h', '--env', 'A=1', '--env', 'B=2', '--yes'];

    const { code, out, err } = await runOps([...args, '--json'], settings);

    expect([code, err]).toEqual([0, '']);
    const { environment, claim } = JSON.parse(out) as { environment: string; claim: string };
    const made = await cluster.read(environments, { namespace: 'team-a', name: environment });
    expect(made?.spec.configuration?.env).toEqual([
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ]);
    expect(await cluster.read(claims, { namespace: 'team-a', name: claim })).toBeDefined();
  });

  it.each([
    ['claims', ['claims']],
    ['claims with a namespace', ['claims', 'team-a']],
    ['claims list', ['claims', 'list', 'team-a', '--limit', '5']],
  ])('%s shows the claims, and ends with 0 while nothing leaks', async (_words, args) => {
    const { code, out, err } = await runOps(args, settings);

    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('team-a/staging-dtc');
    expect(out).toContain('Nothing leaks.');
  });

  it('claims ends with 1 where something leaks, and says what as JSON', async () => {
    await cluster.create(namespaces, { metadata: { name: 'team-b' } });
    await cluster.create(claims, { metadata: { namespace: 'team-b', name: 'lonely' }, spec: {} });

    const { code, out } = await runOps(['claims', 'team-b', '--json'], settings);

    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ leaks: [{ kind: 'ClaimUnnamed', subject: 'team-b/lonely' }] });
  });

  it.each([
    [0, ['environments', 'list']],
    [3, ['claims', 'recycle', 'team-a/none', '--yes']],
    [2, ['claims', 'recycle']],
    [2, ['onboard', 'team-a', '--wait', 'a-while']],
    [2, ['environments', 'clone', 'team-a/staging', '--yes']],
  ])('ends with %i for %j', async (expected, args) => {
    const { code, out, err } = await runOps(args, settings);

    expect(code).toBe(expected);
    expect(out + err).not.toBe('');
  });

  it('says that the cluster does not answer, and which setting names it', async () => {
    const nowhere = join(folder, 'nowhere');
    writeFileSync(nowhere, readFileSync(server.kubeconfigFile, 'utf8').replace(server.url, 'https://127.0.0.1:1'));

    const { code, err } = await runOps(['claims'], { ...settings, KUBECONFIG: nowhere });

    expect(code).toBe(1);
    expect(err).toContain('is KUBECONFIG right?');
  });
});
