import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { claims } from '../../../shared/contracts/kubernetes/kinds.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../../support/gitops-world.ts';
import { openMortality, settleThroughDeath } from '../../support/mortality.ts';
import { type PlayedHypershift, playHypershift } from '../../support/play-hypershift.ts';
import { type HostedClusterApi, startHostedCluster } from '../../support/start-hosted-cluster.ts';
import { type HostedScene, openHostedScene } from './suites/hosted-scene.ts';

vi.setConfig({ testTimeout: 300_000 });

const mortality = openMortality();
let world: GitOpsWorld;
let hypershift: PlayedHypershift;
let api: HostedClusterApi;
let scene: HostedScene;

beforeAll(async () => {
  world = await openGitOpsWorld({ machine: (usual) => mortality.wrap(usual) });
  hypershift = await playHypershift(world.bare);
  api = await startHostedCluster();
  scene = openHostedScene(world, hypershift);
});
afterAll(async () => {
  await api?.stop();
  await world?.close();
});

/** Looks again and again, through a death, until it is so; HyperShift does its part in between. */
async function live(play: () => Promise<void>, isSo: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 12; look += 1) {
    mortality.watchOver(world.connection);
    await settleThroughDeath(world, mortality);
    world.connection.trouble = undefined;
    if (await isSo()) return;
    await play();
    await world.wake();
  }
  throw new Error('it never came to an end');
}

async function bring(namespace: string): Promise<void> {
  await live(
    async () => {
      const hosted = await scene.hostedFor(namespace);
      if (hosted?.pool === undefined) return;
      await hypershift.notice(hosted.name);
      await hypershift.finish(hosted.name, api);
    },
    async () => (await scene.theClaim(namespace))?.status?.phase === 'Bound',
  );
}

async function end(namespace: string): Promise<void> {
  await live(
    () => hypershift.finishDeletions(),
    async () => (await scene.theClaim(namespace)) === undefined,
  );
}

/** The moments before and after every write that is about a hosted cluster or what opens it. */
function momentsOf(calls: readonly string[]): number[] {
  return calls.flatMap((call, at) => (/(POST|PATCH|DELETE) .*(hypershift|secrets)/.test(call) ? [at + 1] : []));
}

async function claimed(): Promise<string> {
  const { namespace, className } = await scene.open('mortal');
  await scene.claim(namespace, className);
  return namespace;
}

const whole = ['HostedCluster', 'NodePool', 'Secret', 'DeploymentTarget'];

describe('the process that works on a claim for a hosted cluster, killed at every write of its provisioner', () => {
  it('is followed by one that makes one of everything, and one that leaves nothing', async () => {
    mortality.revive();
    const rehearsal = await claimed();
    await bring(rehearsal);
    const making = momentsOf(mortality.calls);
    mortality.revive();
    await world.cluster.remove(claims, { namespace: rehearsal, name: 'prod-dtc' });
    await end(rehearsal);
    const taking = momentsOf(mortality.calls);
    expect(making.length).toBeGreaterThanOrEqual(10);
    expect(taking.length).toBeGreaterThanOrEqual(6);

    for (let at = 0; at < Math.max(making.length, taking.length); at += 1) {
      mortality.revive();
      const namespace = await claimed();
      mortality.dieAt = making[at];
      await bring(namespace);
      expect(await scene.whatIsLeft(namespace), `killed at call ${making[at]}`).toEqual(whole);

      mortality.revive();
      await world.cluster.remove(claims, { namespace, name: 'prod-dtc' });
      mortality.dieAt = taking[at];
      await end(namespace);
      expect(await scene.whatIsLeft(namespace), `killed at call ${taking[at]}`).toEqual([]);
    }
    expect(world.queue.buried).toEqual([]);
  });
});
