import type { Journal } from '../../shared/ports/journal.ts';
import type { Machine } from '../../shared/runtime/machine.ts';
import type { Watched } from './audited-connection.ts';
import type { GitOpsWorld } from './gitops-world.ts';

/** What a killed process would have said, had it lived. */
class Killed extends Error {
  override readonly name = 'Killed';
}

/** A process that dies at its nth call to the outside, before it is made or when it was made and not answered. */
export interface Mortality {
  /** The calls of this life, in words. */
  readonly calls: string[];
  /** Counted from one; undefined: it lives. */
  dieAt: number | undefined;
  readonly isDead: boolean;
  wrap(machine: Machine): Machine;
  /** The calls that go this way are counted, until nobody watches it any more. */
  watchOver(...ways: Watched[]): void;
  /** What a process keeps in its memory, and loses with it. */
  readonly memories: (() => void)[];
  /** A new process: nobody remembers the old one but by what it has written. */
  revive(): void;
}

export function openMortality(): Mortality {
  let dead = false;
  const mortality: Mortality = {
    calls: [],
    memories: [],
    dieAt: undefined,
    get isDead() {
      return dead;
    },
    wrap: (machine) => ({
      ...machine,
      journal: mortalJournal(machine.journal),
      queue: {
        send: (deliveries) =>
          deliveries.length === 0 ? Promise.resolve() : around('send', () => machine.queue.send(deliveries)),
        bury: (letter) => around('bury', () => machine.queue.bury(letter)),
      },
    }),
    watchOver(...ways) {
      for (const way of ways) way.trouble = ({ method, path }, when) => pass(`${when} ${method} ${path.split('?')[0]}`);
    },
    revive() {
      if (dead) for (const forget of mortality.memories) forget();
      dead = false;
      mortality.calls.length = 0;
      mortality.dieAt = undefined;
    },
  };

  /** Every call of a process is a moment at which it may end. */
  function pass(call: string): Killed | undefined {
    if (!dead) mortality.calls.push(call);
    if (mortality.calls.length === mortality.dieAt) dead = true;
    return dead ? new Killed(call) : undefined;
  }

  async function around<T>(call: string, act: () => Promise<T>): Promise<T> {
    const before = pass(`before ${call}`);
    if (before !== undefined) throw before;
    const done = await act();
    const after = pass(`after ${call}`);
    if (after !== undefined) throw after;
    return done;
  }

  function mortalJournal(journal: Journal): Journal {
    return {
      begin: (begin) => around('begin', () => journal.begin(begin)),
      finish: (record, rows) => around('finish', () => journal.finish(record, rows)),
      forget: (...row) => around('forget', () => journal.forget(...row)),
      renew: (...lease) => around('renew', () => journal.renew(...lease)),
    };
  }
  return mortality;
}

/** True: nobody is left to wake. False: it died on the way. */
export async function settleUntilDeath(world: GitOpsWorld, mortality: Mortality): Promise<boolean> {
  await world.settle().catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
  return !mortality.isDead;
}

/** Whoever died is followed by a new process, after the leases of the dead have run out. */
export async function follow(world: GitOpsWorld, mortality: Mortality): Promise<void> {
  mortality.revive();
  await world.sql`update lease set until = clock_timestamp() - interval '1 second'`;
  // Whatever it had decided and not sent is sent by the sweeper.
  await world.sql`update knock set due_at = clock_timestamp() - interval '1 second'`;
  await world.wake();
}

/** Settles through deaths. */
export async function settleThroughDeath(world: GitOpsWorld, mortality: Mortality): Promise<void> {
  for (let lives = 0; lives < 5; lives += 1) {
    if (await settleUntilDeath(world, mortality)) return;
    await follow(world, mortality);
  }
  throw new Error('it died more often than it was killed');
}
