import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { installArgoCd } from '../../../infra/embedded/argo-cd/install/install-argo-cd.ts';
import { startEmbeddedKubernetes } from '../../../infra/embedded/kubernetes/start-embedded-kubernetes.ts';
import { applyCrds, ownCrds, readCrds } from '../../../infra/kubernetes/apply-crds.ts';
import { mapFile } from '../../../infra/map.ts';
import { type ClusterConnection, connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import { gitOpsDeployments, namespaces } from '../../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../../shared/ports/cluster.ts';
import { type Act, acts, endings, outcomeOf, perform, type Story } from '../../support/deployment-story.ts';
import { openWorld, startHostProcess, type World } from '../../support/host-process.ts';
import { dieAt } from '../../support/killed-host.ts';
import type { Boundary } from '../../support/killing-proxies.ts';
import { finishDeletions } from '../../support/play-argo-cd.ts';
import type { RunningCluster } from '../../support/running-cluster.ts';
import { until } from '../../support/until.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** The calls that every act makes are tried with the first; test/journeys/gitops/killed-at-every-call.test.ts has them all. */
const knocked: Readonly<Record<string, Boundary>> = {
  'before the knock is sent': { when: 'before', what: 'SendMessage', nth: 1 },
  'after the knock is sent': { when: 'after', what: 'SendMessage', nth: 1 },
  'before the rows are written': { when: 'before', what: 'finish_step', nth: 1 },
  'after the rows are written': { when: 'after', what: 'finish_step', nth: 1 },
  'before the operation is marked as done': { when: 'before', what: 'finish_step', nth: 2 },
};

/** Where the process dies in each act, beside the calls that every act makes. */
const places: Readonly<Record<Act, Readonly<Record<string, Boundary>>>> = {
  create: {
    ...knocked,
    'before the project is made': { when: 'before', what: /^POST .*\/appprojects/, nth: 1 },
    'after the project is made': { when: 'after', what: /^POST .*\/appprojects/, nth: 1 },
    'before the Application is made': { when: 'before', what: /^POST .*\/applications/, nth: 1 },
    'after the Application is made': { when: 'after', what: /^POST .*\/applications/, nth: 1 },
  },
  update: {
    'before the Application is changed': { when: 'before', what: /^(PUT|PATCH) .*\/applications\//, nth: 1 },
    'after the Application is changed': { when: 'after', what: /^(PUT|PATCH) .*\/applications\//, nth: 1 },
  },
  delete: {
    'after the rows are gone': { when: 'after', what: 'delete from application where', nth: 1 },
    'before the Application gets its finalizer': { when: 'before', what: /^PATCH .*\/applications\//, nth: 1 },
    'after the Application got its finalizer': { when: 'after', what: /^PATCH .*\/applications\//, nth: 1 },
    'before the Application is deleted': { when: 'before', what: /^DELETE .*\/applications\//, nth: 1 },
    'after the Application is deleted': { when: 'after', what: /^DELETE .*\/applications\//, nth: 1 },
  },
};

let folder: string;
let hastyMap: string;
let plane: RunningCluster;
let connection: ClusterConnection;
let cluster: Cluster;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stagecoach-killed-'));
  // What a crash leaves behind is swept up every second instead of every five.
  hastyMap = join(folder, 'serverless.yml');
  writeFileSync(hastyMap, readFileSync(mapFile, 'utf8').replace('*/5 * * * * *', '* * * * * *'));
  plane = await startEmbeddedKubernetes({ folder: join(folder, 'plane') });
  connection = connectCluster({ kubeconfigPath: plane.kubeconfigFile, now: Date.now });
  await applyCrds(connection, readCrds(ownCrds));
  await installArgoCd(connection, 'argocd', AbortSignal.timeout(20_000));
  cluster = openCluster({ connection });
});
afterAll(async () => {
  await connection.close();
  await plane.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(acts)('the host, killed in the act: %s', (act) => {
  it.each(Object.entries(places[act]))('%s: everything ends as if it had lived', async (_where, boundary) => {
    const world = await openWorld({ KUBECONFIG: plane.kubeconfigFile, ARGO_CD_NAMESPACE: 'argocd' }, hastyMap);
    const story = await openStoryOn();
    try {
      let host = await startHostProcess(world.environment);
      for (const earlier of acts.slice(0, acts.indexOf(act))) await liveThrough(earlier, story, world);
      await host.kill('SIGTERM');

      await dieAt(boundary, { world, cluster: plane }, async () => {
        // What is deleted before the host follows the cluster is found by the drift pass alone.
        if (act === 'delete') await follows(story);
        await perform(act, hands(world), story);
      });

      host = await startHostProcess(world.environment);
      await ends(act, story, world);
      await host.kill('SIGTERM');
    } finally {
      await world.close();
    }
  });
});

function hands({ database }: World) {
  return { sql: database.sql, cluster } as unknown as Parameters<typeof perform>[1];
}

async function openStoryOn(): Promise<Story> {
  const { metadata } = await cluster.create(namespaces, { metadata: { generateName: 'team-' } });
  return { namespace: { name: metadata.name, uid: metadata.uid }, uid: '' };
}

/** Waits until the host has noticed an object that it says something about and stores nothing of. */
async function follows({ namespace }: Story): Promise<void> {
  const { metadata } = await cluster.create(gitOpsDeployments, {
    metadata: { namespace: namespace.name, name: 'without-a-path' },
    spec: { source: { repoURL: 'https://example.com/team/app', path: '' }, type: 'automated' },
  });
  await until('the host to follow', async () => {
    const seen = await cluster.read(gitOpsDeployments, metadata);
    return (seen?.status?.conditions.length ?? 0) > 0;
  });
}

async function liveThrough(act: Act, story: Story, world: World): Promise<void> {
  await perform(act, hands(world), story);
  await ends(act, story, world);
}

async function ends(act: Act, story: Story, world: World): Promise<void> {
  await expect
    .poll(
      async () => {
        await finishDeletions({ cluster });
        return outcomeOf(hands(world), story);
      },
      { timeout: 30_000, interval: 100 },
    )
    .toEqual(endings[act]);
}
