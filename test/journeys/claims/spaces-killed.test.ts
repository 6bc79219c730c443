import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { spaceRequests } from '../../../shared/contracts/kubernetes/kinds.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../../support/gitops-world.ts';
import { type Mortality, openMortality, settleThroughDeath } from '../../support/mortality.ts';
import { until } from '../../support/until.ts';
import { openSpaceTenant, readyOf, type SpaceTenant } from './suites/spaces-tenant.ts';

vi.setConfig({ testTimeout: 240_000 });

const annotations = { 'stagecoach.dev/wanted-resources': '{"requests":{"cpu":"1"}}' };
const mortality: Mortality = openMortality();
let world: GitOpsWorld;

beforeAll(async () => {
  world = await openGitOpsWorld({ machine: (usual) => mortality.wrap(usual) });
});
afterAll(() => world.close());

/** Everybody works until it is so; one of the processes may die, at one of its calls. */
async function live(isOver: () => Promise<boolean>, dieAt?: number) {
  mortality.revive();
  mortality.dieAt = dieAt;
  let calls = 0;
  await until('the end of it', async () => {
    mortality.watchOver(world.connection);
    await settleThroughDeath(world, mortality);
    const made = mortality.calls.splice(0).length;
    calls += made;
    // The calls of the next round are counted on from these. Who has died is mortal no more.
    if (mortality.dieAt !== undefined) mortality.dieAt -= made;
    world.connection.trouble = undefined;
    if (await isOver()) return true;
    await world.wake();
    return false;
  });
  await world.settle();
  return { calls, hasDied: dieAt !== undefined && mortality.dieAt === undefined };
}

/** What there is of a tenant's request, in a form that two runs can be compared by. */
async function outcomeOf(tenant: SpaceTenant): Promise<object> {
  const request = await tenant.read();
  const [rows] = await world.sql`
    select (select count(*)::int from knock where tenant = ${tenant.namespace.name}) as knocks,
           (select count(*)::int from lease) as leases,
           (select count(*)::int from wakeup where tenant = ${tenant.namespace.name}) as wakeups`;
  return {
    ...rows,
    ready: readyOf(request)?.reason,
    namespaces: (await tenant.places()).length,
    secrets: (await tenant.openers()).length,
  };
}

describe('the process that works on a SpaceRequest, killed before and after every call it makes', () => {
  const quiet = { knocks: 0, leases: 0, wakeups: 0 };

  async function provision(dieAt?: number) {
    const tenant = await openSpaceTenant(world);
    await tenant.ask({ annotations });
    return { tenant, ...(await live(async () => readyOf(await tenant.read())?.status === 'True', dieAt)) };
  }

  it('while it makes a namespace: there is one, it is open, and there is one Secret', async () => {
    const { tenant, calls } = await provision();
    const ending = { ...quiet, ready: 'Provisioned', namespaces: 1, secrets: 1 };
    expect(await outcomeOf(tenant)).toEqual(ending);
    expect(calls).toBeGreaterThan(40);

    let deaths = 0;
    for (let at = 1; at <= calls; at += 1) {
      const { tenant: victim, hasDied } = await provision(at);
      deaths += Number(hasDied);

      expect(await outcomeOf(victim), `killed at call ${at}`).toEqual(ending);
    }
    // How often it looks before a token is made or a namespace gone is not the same every time.
    expect(deaths).toBeGreaterThan(calls / 2);
    expect(world.queue.buried).toEqual([]);
  });

  it('while it takes one away: no namespace and no Secret is left', async () => {
    async function leave(dieAt?: number) {
      const { tenant } = await provision();
      await world.cluster.remove(spaceRequests, tenant.key);
      return { tenant, ...(await live(async () => (await tenant.read()) === undefined, dieAt)) };
    }
    const { tenant, calls } = await leave();
    const ending = { ...quiet, ready: undefined, namespaces: 0, secrets: 0 };
    expect(await outcomeOf(tenant)).toEqual(ending);
    expect(calls).toBeGreaterThan(20);

    let deaths = 0;
    for (let at = 1; at <= calls; at += 1) {
      const { tenant: victim, hasDied } = await leave(at);
      deaths += Number(hasDied);

      expect(await outcomeOf(victim), `killed at call ${at}`).toEqual(ending);
    }
    // How often it looks before a token is made or a namespace gone is not the same every time.
    expect(deaths).toBeGreaterThan(calls / 2);
    expect(world.queue.buried).toEqual([]);
  });
});
