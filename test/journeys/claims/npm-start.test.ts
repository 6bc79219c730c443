import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../infra/free-port.ts';
import { type ClusterConnection, connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import { claims, environments, namespaces, targets } from '../../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../../shared/ports/cluster.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { until } from '../../support/until.ts';

// Five processes start, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const main = fileURLToPath(new URL('../../../scripts/start.ts', import.meta.url));
const patienceMs = 80_000;

describe('npm start with nothing configured', () => {
  let folder: string;
  let child: ChildProcess;
  let connection: ClusterConnection;
  let cluster: Cluster;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-start-'));
    // Started by root the database runs as nobody, who must be able to pass.
    chmodSync(folder, 0o711);
    const data = join(folder, 'data');
    child = spawn(process.execPath, [main, '--data', data, '--port', String(await freePort())], {
      env: { PATH: process.env['PATH'] },
      stdio: 'ignore',
    });
    const told = join(data, 'running.json');
    await until('it to be up', () => child.exitCode !== null || existsSync(told), patienceMs);
    const { environment } = JSON.parse(readFileSync(told, 'utf8')) as { environment: Record<string, string> };
    connection = connectCluster({ kubeconfigPath: environment['KUBECONFIG'], now: Date.now });
    cluster = openCluster({ connection });
  });
  afterAll(async () => {
    await connection?.close();
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const key = (name: string) => ({ namespace: 'team-a', name });

  it('fulfils a claim of the class that ships', async () => {
    await cluster.create(namespaces, { metadata: { name: 'team-a' } });
    await cluster.create(claims, {
      metadata: key('staging-dtc'),
      spec: { deploymentTargetClassName: 'isolation-level-namespace' },
    });

    await until(
      'the claim to be bound',
      async () => (await cluster.read(claims, key('staging-dtc')))?.status?.phase === 'Bound',
      patienceMs,
    );

    const target = await cluster.read(targets, key('staging-dtc-dt'));
    const name = target?.spec.kubernetesCredentials.defaultNamespace ?? '';
    expect(await cluster.read(namespaces, { namespace: '', name })).toBeDefined();
  });

  describeWithGit('and an Argo CD, which takes git', () => {
    it('has an Environment ready to be deployed to, at the claim', async () => {
      await cluster.create(environments, {
        metadata: key('staging'),
        spec: {
          displayName: 'Staging',
          deploymentStrategy: 'AppStudioAutomated',
          configuration: { target: { deploymentTargetClaim: { claimName: 'staging-dtc' } } },
        },
      });

      const ready = await until(
        'the Environment to be ready',
        async () => {
          const seen = await cluster.read(environments, key('staging'));
          return seen?.status?.conditions.find(({ type, status }) => type === 'TargetReady' && status === 'True');
        },
        patienceMs,
      );

      expect(ready.reason).toBe('Connected');
    });
  });

  it('ends with everything that it started when it is told to', async () => {
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];

    expect(code).toBe(0);
    expect(existsSync(join(folder, 'data', 'running.json'))).toBe(false);
    await expect(cluster.read(namespaces, { namespace: '', name: 'team-a' })).rejects.toThrow();
  });
});
