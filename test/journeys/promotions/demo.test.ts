import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../infra/free-port.ts';
import { type ClusterConnection, connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import { bindings, environments, promotionRuns, targets } from '../../../shared/contracts/kubernetes/kinds.ts';
import type { PromotionRun } from '../../../shared/contracts/kubernetes/promotion-run.ts';
import type { Cluster } from '../../../shared/ports/cluster.ts';
import { listObjects } from '../../support/list-objects.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { until } from '../../support/until.ts';

// Five processes start, twice, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const main = fileURLToPath(new URL('../../../scripts/start.ts', import.meta.url));
const patienceMs = 110_000;

/** npm start -- --demo, and what it says to people. */
function startDemo(data: string, port: number) {
  const child = spawn(process.execPath, [main, '--demo', '--data', data, '--port', String(port)], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return {
    said: () => said,
    async says(text: string): Promise<void> {
      const isSaid = () => said.includes(text) || child.exitCode !== null;
      await until(`the demo to say "${text}"`, isSaid, patienceMs).catch((error: unknown) => {
        throw new Error(`${String(error)}; it said:\n${said}`);
      });
      expect(said).toContain(text);
    },
    async end(signal: 'SIGINT' | 'SIGKILL'): Promise<number | null> {
      if (child.exitCode !== null) return child.exitCode;
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

describeWithGit('npm start -- --demo', () => {
  let folder: string;
  let data: string;
  let demo: ReturnType<typeof startDemo>;
  let connection: ClusterConnection;
  let cluster: Cluster;

  async function start(): Promise<void> {
    demo = startDemo(data, await freePort());
    await demo.says('waits for a person');
    connection = connectCluster({ kubeconfigPath: join(data, 'kubernetes/kubeconfig'), now: Date.now });
    cluster = openCluster({ connection });
  }

  async function runs(): Promise<PromotionRun[]> {
    const found = await listObjects(cluster, promotionRuns, 'demo');
    return found.toSorted((one, other) => (one.metadata.creationTimestamp < other.metadata.creationTimestamp ? -1 : 1));
  }

  const wayOf = (run: PromotionRun | undefined) =>
    run?.status?.environmentStatus.map(({ environmentName, status }) => `${environmentName} ${status}`);

  /** What runs where, by the Bindings. */
  async function bound(): Promise<Record<string, string>> {
    const all = await listObjects(cluster, bindings, 'demo');
    return Object.fromEntries(all.map(({ spec }) => [spec.environment, spec.snapshot]));
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-demo-'));
    // Started by root the database runs as nobody, who must be able to pass.
    chmodSync(folder, 0o711);
    data = join(folder, 'data');
    await start();
  });
  afterAll(async () => {
    await connection?.close();
    await demo?.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  describe('the first time', () => {
    it('brings a build of three components to the two environments that take it by themselves', async () => {
      const [run, ...more] = await runs();
      expect(more).toEqual([]);
      expect(run?.status).toMatchObject({ state: 'Completed', completionResult: 'Success' });
      expect(wayOf(run)).toEqual(['development success', 'staging success']);
      const evidence = run?.status?.environmentStatus.flatMap(({ components }) => components) ?? [];
      expect(evidence.map(({ name, health }) => `${name} ${health}`)).toEqual([
        ...['catalogue Healthy', 'checkout Healthy', 'storefront Healthy'],
        ...['catalogue Healthy', 'checkout Healthy', 'storefront Healthy'],
      ]);
      const snapshot = run?.spec.snapshot ?? '';
      expect(await bound()).toEqual({ development: snapshot, staging: snapshot });
    });

    it('gives each of the four environments a target of its own, by a claim', async () => {
      const all = await listObjects(cluster, environments, 'demo');
      expect(all.map(({ metadata }) => metadata.name).toSorted()).toEqual([
        ...['development', 'production-eu', 'production-us', 'staging'],
      ]);
      const places = (await listObjects(cluster, targets, 'demo')).map(
        ({ spec }) => spec.kubernetesCredentials.defaultNamespace,
      );
      expect(new Set(places).size).toBe(4);
    });

    it('tells it as it happens, and what to try next', async () => {
      const [run] = await runs();
      const snapshot = run?.spec.snapshot ?? '';

      expect(demo.said()).toContain(`Snapshot ${snapshot} holds storefront:1, catalogue:1, checkout:1`);
      expect(demo.said()).toMatch(/development +✓ checkout is Synced and Healthy at [0-9a-f]{10}\n/);
      expect(demo.said()).toMatch(/staging +✓ checkout is Synced and Healthy at [0-9a-f]{10}\n/);
      expect(demo.said()).toContain('✓ Success\n');
      expect(demo.said()).toContain(
        `npm run ops -- promote demo/bookshop --snapshot ${snapshot} --to production-eu --wait`,
      );
      expect(demo.said()).toMatch(/http:\/\/127\.0\.0\.1:\d+\/console/);
    });

    it('shows the same on the page that it names', async () => {
      const [page = ''] = demo.said().match(/http:\/\/127\.0\.0\.1:\d+\/console/) ?? [];
      const [run] = await runs();
      const snapshot = run?.spec.snapshot;
      const read = async (path: string) => (await fetch(`${page}/data/${path}`)).json();

      const cells = ['development', 'staging'].map((environment) => ({ environment, snapshot, health: 'Healthy' }));
      expect(await read('board')).toMatchObject({
        namespaces: [{ name: 'demo', applications: [{ name: 'bookshop', cells }] }],
      });
      expect(await read(`promotion/demo/${run?.metadata.name}`)).toMatchObject({ result: 'Success', snapshot });
    });

    it('tells of the promotion that a person starts as well, and of the one that follows it', async () => {
      const [run] = await runs();
      const snapshot = run?.spec.snapshot ?? '';
      await cluster.create(promotionRuns, {
        metadata: { namespace: 'demo', name: 'by-hand' },
        spec: { snapshot, application: 'bookshop', manualPromotion: { targetEnvironment: 'production-eu' } },
      });

      await demo.says('production-us  ✓ All GitOpsDeployments are Synced/Healthy');

      expect(demo.said()).toContain(`PromotionRun by-hand takes Snapshot ${snapshot} on its way`);
      expect(Object.keys(await bound())).toHaveLength(4);
    });

    it('ends with everything that it started when it is told to', async () => {
      expect(await demo.end('SIGINT')).toBe(0);

      expect(existsSync(join(data, 'running.json'))).toBe(false);
      await expect(runs()).rejects.toThrow();
      await connection.close();
    });
  });

  it('finds everything again the second time, and another build travels', async () => {
    await start();

    expect(demo.said()).toContain('all of it is there; a build of checkout ends');
    const newest = (await runs()).at(-1);
    expect(newest?.status?.completionResult).toBe('Success');
    expect(wayOf(newest)).toEqual(['development success', 'staging success']);
    const { development, staging, ...production } = await bound();
    expect([development, staging]).toEqual([newest?.spec.snapshot, newest?.spec.snapshot]);
    expect(new Set(Object.values(production)).has(newest?.spec.snapshot ?? '')).toBe(false);
    expect(demo.said().match(/takes Snapshot/g)).toHaveLength(1);
    expect(await demo.end('SIGINT')).toBe(0);
  });
});
