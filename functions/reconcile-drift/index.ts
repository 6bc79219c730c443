/**
 * reconcile-drift: finds what went apart while nobody looked, and knocks.
 *
 *   wakes on   a schedule, every minute; a pass over everything begins every half hour and takes as many ticks as it needs
 *   observes   resources of the API, what stands beside every Argo CD, and the rows that stand for both
 *   decides    what is wrong (shared/domain/upkeep/drift.ts)
 *   commits    the findings, repair operations, and how far it has got; then one knock each; deletes orphans where it is told to
 *   if down    what was changed or deleted by hand, or got lost in an outage, stays so until somebody touches it
 */
import { isOver, type PassState } from '../../shared/domain/upkeep/pass.ts';
import { defineSchedule } from '../../shared/runtime/define-schedule.ts';
import { takeTurns, tickSeconds } from './take-turns.ts';
import { toldOf } from './told-of.ts';

/** A worker that dies keeps the pass from the others for this long; a living one is done before. */
const holdSeconds = 3 * tickSeconds;

export const reconcileDrift = defineSchedule({
  name: 'reconcile-drift',
  emits: toldOf,

  async run(machine) {
    const { world, clock, newId } = machine;
    const holder = newId();
    const intervalMinutes = world.upkeep.driftIntervalMinutes;
    const pass = await world.driftPasses.take({ holder, seconds: holdSeconds, intervalMinutes });
    if (pass === undefined) return { count: 0, did: 'nothing was due' };

    const started = clock.elapsed();
    const giveBack = (state: PassState) =>
      world.driftPasses.give(
        { id: pass.id, state },
        { holder, over: isOver(state), seconds: (clock.elapsed() - started) / 1_000 },
      );
    try {
      const { state, findings } = await takeTurns(machine, pass);
      await giveBack(state);
      return { count: findings, did: isOver(state) ? 'ended a drift pass' : 'went on with a drift pass' };
    } catch (error) {
      // The next tick goes on where this one began; findings that stand are not made twice.
      await giveBack(pass.state).catch(() => undefined);
      throw error;
    }
  },
});
