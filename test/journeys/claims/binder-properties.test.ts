import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import { inWords } from '../../../shared/domain/core/subject.ts';
import type { Delivery } from '../../../shared/ports/queue.ts';
import type { AuditedConnection } from '../../support/audited-connection.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../../support/gitops-world.ts';
import { type Mortality, openMortality } from '../../support/mortality.ts';
import { type Chance, openChance } from './model/chance.ts';
import { findDoubles, findFaults, findGivenAwayAgain, lookAt } from './model/find-faults.ts';
import { seedsOf } from './model/seeds-of.ts';
import { openTroublemaker } from './model/troublemaker.ts';

// The functions as they run, with their database, their journal and an API server that checks what is written.
describe('the binder, whatever happens', () => {
  let world: GitOpsWorld;
  let mortality: Mortality;
  /** What somebody else does in the middle of a step, once. */
  let meddle: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    mortality = openMortality();
    world = await openGitOpsWorld({ machine: (usual) => mortality.wrap(usual) });
    mortality.watchOver(world.connection);
    meddleBefore(world.connection);
  });
  afterAll(() => world?.close());

  function meddleBefore(connection: AuditedConnection): void {
    const request = connection.request.bind(connection);
    Object.assign(connection, {
      async request(...given: Parameters<AuditedConnection['request']>) {
        const act = given[1]?.method === 'PATCH' ? meddle : undefined;
        if (act !== undefined) {
          meddle = undefined;
          await act();
        }
        return request(...given);
      },
    });
  }

  /** One message, and what becomes of it where the process dies: it comes again, when the lease of the dead is over. */
  async function deliver(delivery: Delivery): Promise<void> {
    const { message, from, pending, attempt } = delivery;
    const event = {
      specversion: '1.0',
      id: message.id,
      source: `/functions/${from}`,
      type: message.type,
      subject: inWords(message.subject),
      time: new Date().toISOString(),
      data: message.subject,
      ...(pending && { pending: 'true' }),
      ...(attempt !== undefined && { attempt }),
    };
    try {
      await world.functions.get(message.function)?.handle(event, { receives: 1, covered: 0 }, world.machine);
    } catch (error) {
      if (!mortality.isDead) throw error;
    }
    if (!mortality.isDead) return;
    mortality.revive();
    await world.sql`update lease set until = clock_timestamp() - interval '1 second'`;
    world.queue.sent.push(delivery);
  }

  interface Story {
    readonly chance: Chance;
    /** What may not be seen, not even for a moment. */
    watch(): Promise<void>;
    act(): Promise<void>;
  }

  /** Steps in any order, some of them twice, so many of them. */
  async function run({ chance, watch, act }: Story, most: number): Promise<void> {
    for (let count = 0; count < most && world.queue.sent.length > 0; count += 1) {
      const fate = chance.oneOf(['dies', 'is disturbed', 'goes well', 'goes well', 'goes well']);
      if (fate === 'dies') mortality.dieAt = mortality.calls.length + 1 + chance.below(12);
      if (fate === 'is disturbed') meddle = act;
      await step(chance);
      mortality.dieAt = undefined;
      meddle = undefined;
      await watch();
    }
  }

  async function step(chance: Chance): Promise<void> {
    const delivery = { ...chance.takeFrom(world.queue.sent), delaySeconds: 0 };
    if (chance.happens(15)) world.queue.sent.push(delivery);
    await deliver(delivery);
  }

  /** Until nobody is left to wake. */
  async function rest({ chance, watch }: Story): Promise<void> {
    for (let count = 0; world.queue.sent.length > 0; count += 1) {
      if (count > 1_000) throw new Error('it does not come to rest');
      await step(chance);
      await watch();
    }
  }

  async function play(seed: number, isRough: boolean): Promise<string[]> {
    const chance = openChance(seed);
    const { name: namespace } = await world.namespace('chance');
    const classes = { retain: `retain-${namespace}`, missing: 'missing' };
    const maker = openTroublemaker(chance, world.cluster, namespace, classes);
    const eyes = openCluster({ connection: world.bare });
    const used = new Set<string>();
    const story: Story = {
      chance,
      async watch() {
        const scene = await lookAt(eyes, namespace);
        const faults = [...(isRough ? [] : findDoubles(scene)), ...findGivenAwayAgain(scene, used)];
        if (faults.length > 0) throw new Error(faults.join('; '));
      },
      act: () => maker.act(isRough),
    };

    // Whoever waits from an earlier story would change the order of this one.
    await world.sql`delete from wakeup`;
    await world.sql`delete from knock`;
    await maker.prepare();
    for (let deed = 0; deed < 14; deed += 1) {
      await story.act();
      await run(story, chance.below(5));
    }
    // What a dead process had decided and not sent is sent by the sweeper, with every round.
    for (let round = 0; round < 4; round += 1) {
      await rest(story);
      await world.sql`update knock set due_at = clock_timestamp() - interval '1 second'`;
      await world.wake();
    }
    await rest(story);
    return findFaults(await lookAt(eyes, namespace));
  }

  it.each(seedsOf(6))('never gives a target twice, and leaves everybody with a verdict (seed %i)', async (seed) => {
    expect(await play(seed, false)).toEqual([]);
  });

  it.each(seedsOf(6))('leaves everybody with a verdict though people tear at the bindings (seed %i)', async (seed) => {
    expect(await play(seed, true)).toEqual([]);
  });
});
