import { applyClaim } from '../../../../functions/bind-claim/apply.ts';
import { observeClaim, type SeenByStep } from '../../../../functions/bind-claim/observe.ts';
import { claimRows } from '../../../../functions/bind-claim/rows.ts';
import { applyTarget } from '../../../../functions/bind-target/apply.ts';
import { observeTarget } from '../../../../functions/bind-target/observe.ts';
import { targetRows } from '../../../../functions/bind-target/rows.ts';
import { namespaces } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { decideClaim } from '../../../../shared/domain/claim/decide-claim.ts';
import type { ClaimEffect } from '../../../../shared/domain/claim/observed-claim.ts';
import { type Effect, type Step, type Waiting, wakesAfterSeconds } from '../../../../shared/domain/core/step.ts';
import type { Subject } from '../../../../shared/domain/core/subject.ts';
import { decideTarget } from '../../../../shared/domain/target/decide-target.ts';
import { Conflict } from '../../../../shared/ports/trouble.ts';
import type { Definition } from '../../../../shared/runtime/define-function.ts';
import type { World } from '../../../../shared/runtime/world.ts';
import type { Chance } from './chance.ts';
import { openMemoryCluster } from './memory-cluster.ts';
import { openMemoryRows } from './memory-rows.ts';

type Hand<Seen, E extends Effect> = Pick<
  Definition<Seen, E, World>,
  'observe' | 'decide' | 'apply' | 'rows' | 'version'
>;

interface Message {
  readonly type: string;
  readonly name: string;
  readonly version: string | undefined;
}

class Killed extends Error {
  override readonly name = 'Killed';
}

const namespace = 'team';
const never = new AbortController().signal;

function hand<Seen, E extends Effect>(one: Hand<Seen, E>): Hand<unknown, Effect> {
  return one as unknown as Hand<unknown, Effect>;
}

const hands: Readonly<Record<string, Hand<unknown, Effect>>> = {
  'claim.changed.v1': hand<SeenByStep, ClaimEffect>({
    observe: observeClaim,
    decide: decideClaim,
    apply: applyClaim,
    rows: claimRows,
    version: ({ version }) => version,
  }),
  'target.changed.v1': hand({
    observe: observeTarget,
    decide: decideTarget,
    apply: applyTarget,
    rows: targetRows,
    version: ({ target }) => target?.version,
  }),
};

const wakes: Readonly<Record<string, string>> = {
  DeploymentTargetClaim: 'claim.changed.v1',
  DeploymentTarget: 'target.changed.v1',
};

/**
 * The two hands of the binder and their machine, in memory: steps of different subjects run at once and take turns at every
 * request, messages come in any order and twice, and a process may die at any request. Chance decides all of it.
 */
export function openModelWorld(chance: Chance, deathsInHundred: number) {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const queue: Message[] = [];
  const parked: (() => void)[] = [];
  const busy = new Set<string>();
  const served = new Map<string, bigint>();
  const waits = new Map<string, Waiting & { readonly message: Message }>();
  let mayDie = true;
  let failure: unknown;

  function send(message: Message): void {
    if (!(message.type in hands)) return;
    queue.push(message);
    if (mayDie && chance.happens(20)) queue.push(message);
  }

  const cluster = openMemoryCluster(
    () => now,
    ({ kind, name, version }) => {
      const type = wakes[kind];
      if (type !== undefined) send({ type, name, version });
    },
  );

  /** Waits until chance lets this step go on. */
  const turn = () => new Promise<void>((resolve) => parked.push(resolve));
  async function around(): Promise<void> {
    await turn();
    if (mayDie && chance.happens(deathsInHundred)) throw new Killed();
  }
  const { rows, write } = openMemoryRows(turn);
  const world = {
    clusters: {
      local: cluster.connect({ around, choose: (copies) => copies - 1 - chance.below(Math.min(copies, 2)) }),
    },
    claimRows: rows,
    provisioners: Object.assign(() => undefined, { all: [] }),
  } as unknown as World;

  async function take(message: Message): Promise<void> {
    const { type, name, version } = message;
    const one = hands[type];
    const key = `${type} ${name}`;
    if (one === undefined || (version !== undefined && (served.get(key) ?? -1n) >= BigInt(version))) return;
    const subject: Subject = { namespace, name, ...(version !== undefined && { version }) };
    for (let look = 1; look <= 3; look += 1) {
      try {
        const seen = await one.observe(subject, world, never);
        const step = seen === undefined ? undefined : one.decide(seen, { now, waiting: waits.get(key) });
        if (step !== undefined) await one.apply?.(seen, step, world, never);
        await around();
        finish(key, message, seen, step, one);
        return;
      } catch (error) {
        if (error instanceof Killed) break;
        if (!(error instanceof Conflict)) throw error;
      }
    }
    // Whoever died or met others too often is followed by another, who is told no version.
    send({ type, name, version: undefined });
  }

  function finish(
    key: string,
    message: Message,
    seen: unknown,
    step: Step | undefined,
    one: Hand<unknown, Effect>,
  ): void {
    if (step !== undefined) write(one.rows?.(seen, step, world) ?? []);
    const observed = seen === undefined ? undefined : one.version?.(seen);
    for (const version of [message.version, observed])
      if (version !== undefined && BigInt(version) > (served.get(key) ?? -1n)) served.set(key, BigInt(version));
    for (const { type, subject } of step?.knocks ?? []) send({ type, name: subject.name, version: undefined });
    const seconds = step === undefined ? undefined : wakesAfterSeconds(step.next);
    if (step === undefined || step.next.kind === 'settled' || seconds === undefined) waits.delete(key);
    else {
      const { reason, deadlineSeconds } = step.next.wait;
      const before = waits.get(key);
      const since = before?.reason === reason ? before.since : now;
      waits.set(key, {
        reason,
        since,
        deadline: since + deadlineSeconds * 1_000,
        message: { ...message, version: undefined },
      });
    }
  }

  return {
    namespace,
    async open(): Promise<void> {
      await cluster.connect().create(namespaces, { metadata: { name: namespace } });
    },
    /** A person's hands: nobody is asked to wait. */
    hands: cluster.connect(),
    /** Chance, and no process dies any more. */
    calmDown(): void {
      mayDie = false;
    },
    get writes() {
      return cluster.writes;
    },
    pass(seconds: number): void {
      now += seconds * 1_000;
    },
    knock: (type: string, name: string) => send({ type, name, version: undefined }),
    /** Whoever waits looks again. */
    wake(): void {
      for (const { message } of waits.values()) send(message);
    },
    /** Lets steps run until nobody is left to wake, or for so many turns. */
    async run(turns = Number.POSITIVE_INFINITY, after: () => void | Promise<void> = () => {}): Promise<void> {
      for (let count = 0; count < turns; count += 1) {
        if (count > 20_000) throw new Error('it does not come to rest');
        const ready = queue.filter(({ type, name }) => !busy.has(`${type} ${name}`));
        if (ready.length > 0 && (parked.length === 0 || (busy.size < 4 && chance.happens(30)))) {
          const message = chance.oneOf(ready);
          queue.splice(queue.indexOf(message), 1);
          const key = `${message.type} ${message.name}`;
          busy.add(key);
          void take(message).then(
            () => busy.delete(key),
            (error: unknown) => {
              failure ??= error;
              busy.delete(key);
            },
          );
        } else if (parked.length > 0) chance.takeFrom(parked)();
        else if (queue.length === 0) return;
        // All that a step does without asking anybody is done before the next turn.
        await new Promise(setImmediate);
        if (failure !== undefined) throw failure;
        await after();
      }
    },
  };
}
