import type { Begun, Journal } from '../../shared/ports/journal.ts';
import type { Delivery } from '../../shared/ports/queue.ts';
import type { GitOpsWorld } from './gitops-world.ts';

/** Time that goes by as fast as a test wants. */
export interface PassingTime {
  /** Lets so many seconds go by, from one wake-up to the next: whatever is due on the way comes at its time. */
  pass(seconds: number): Promise<void>;
  /** The same in one go, as if nobody could look meanwhile. */
  leap(seconds: number): Promise<void>;
  /** Seconds until somebody has to be woken. Undefined: nobody waits for a time. */
  untilNext(): Promise<number | undefined>;
}

/** A little more, so that what is due is due by any clock. */
const hairSeconds = 0.01;

/**
 * Takes the clock of a world into one's own hands. The clock of the database goes as it does, so all that is due there is
 * moved back by as much as the machine's goes ahead, and what a step reads of it is told in the machine's time.
 */
export function openPassingTime(world: GitOpsWorld): PassingTime {
  let aheadMs = 0;
  const { machine, sql, delayed, queue } = world;
  const clock = machine.clock as { now: () => number };
  const journal = machine.journal as { begin: Journal['begin'] };
  const { now } = clock;
  const { begin } = journal;
  const later: { readonly at: number; readonly delivery: Delivery }[] = [];
  clock.now = () => now() + aheadMs;
  journal.begin = async (asked) => inOurTime(await begin(asked), aheadMs);

  /** What was put off comes back at its time. */
  function keepDelayed(): void {
    for (const delivery of delayed.splice(0))
      later.push({ at: clock.now() + (delivery.delaySeconds ?? 0) * 1_000, delivery });
  }

  async function moveOn(seconds: number): Promise<void> {
    aheadMs += seconds * 1_000;
    await sql`update wakeup set due_at = due_at - make_interval(secs => ${seconds}),
      since = since - make_interval(secs => ${seconds}), deadline = deadline - make_interval(secs => ${seconds})`;
    await sql`update knock set due_at = due_at - make_interval(secs => ${seconds})`;
    const due = await machine.upkeep.takeDue(1_000);
    queue.sent.push(...due.map((message) => ({ message, from: 'forward-due', pending: true })));
    for (const one of later.filter(({ at }) => at <= clock.now())) {
      later.splice(later.indexOf(one), 1);
      queue.sent.push({ ...one.delivery, delaySeconds: 0 });
    }
    await world.settle();
  }

  const time: PassingTime = {
    async leap(seconds) {
      await world.settle();
      keepDelayed();
      await moveOn(seconds);
    },
    async untilNext() {
      keepDelayed();
      const [row] = await sql<[{ seconds: number | null }]>`
        select extract(epoch from least((select min(due_at) from wakeup), (select min(due_at) from knock))
          - clock_timestamp())::float8 as seconds`;
      const all = [
        ...(row.seconds === null ? [] : [row.seconds]),
        ...later.map(({ at }) => (at - clock.now()) / 1_000),
      ];
      return all.length === 0 ? undefined : Math.max(0, ...[Math.min(...all)]) + hairSeconds;
    },
    async pass(seconds) {
      await world.settle();
      for (let left = seconds; left > 0; ) {
        const until = Math.min(left, (await time.untilNext()) ?? left);
        await moveOn(until);
        left -= until;
      }
    },
  };
  return time;
}

function inOurTime(begun: Begun, aheadMs: number): Begun {
  if (begun.state !== 'go' || begun.waiting === undefined) return begun;
  const { reason, since, deadline } = begun.waiting;
  return { ...begun, waiting: { reason, since: since + aheadMs, deadline: deadline + aheadMs } };
}
