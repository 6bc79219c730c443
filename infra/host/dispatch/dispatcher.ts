import type { SQSClient } from '@aws-sdk/client-sqs';
import type { QueueUrls } from '../../../shared/adapters/sqs/queue-urls.ts';
import { backoffSeconds } from '../../../shared/domain/core/backoff.ts';
import type { Message } from '../../../shared/ports/journal.ts';
import type { StagecoachFunction } from '../../../shared/runtime/define-function.ts';
import type { Machine } from '../../../shared/runtime/machine.ts';
import { openAside } from './aside.ts';
import { openBreaker } from './breaker.ts';
import { openHands } from './hands.ts';
import { type LaneLimits, openLanes } from './lanes.ts';
import { startPoller } from './poller.ts';
import { fromRow, type Received } from './received.ts';

export interface DispatcherSettings {
  readonly machine: Machine;
  readonly functions: ReadonlyMap<string, StagecoachFunction>;
  readonly sqs: SQSClient;
  readonly urls: QueueUrls;
  readonly limits: LaneLimits;
  readonly visibilitySeconds: number;
}

/** Enough to keep every slot busy over the next receive; more would only be kept from other hosts. */
const heldPerSlot = 8;

/** Moves messages from the queues to their functions, fairly; knows no noun of the domain. */
export function startDispatcher({ machine, functions, sqs, urls, limits, visibilitySeconds }: DispatcherSettings) {
  const { log, clock, random, metrics } = machine;
  const routes = machine.routes.filter((route) => functions.has(route.function));
  const lanes = openLanes<Received>(limits);
  const hands = openHands(sqs, urls, visibilitySeconds, log);
  const breaker = openBreaker(random);
  const waitingForRoom: (() => void)[] = [];
  const whenStill: (() => void)[] = [];
  const aside = openAside({
    upkeep: machine.upkeep,
    functions: routes.map((route) => route.function),
    clock,
    log,
    roomFor: (tenant) => Math.ceil(limits.heldPerTenant / 2) - lanes.held(tenant),
    deliver,
  });
  let draining = false;

  function deliver(messages: readonly Received[]): void {
    const over: Received[] = [];
    for (const message of messages) {
      hands.take(message);
      const offered = lanes.offer(message);
      if (offered.kind === 'aside') over.push(message);
      if (offered.kind === 'covered') {
        metrics.coalesced.inc({ fn: message.function });
        void hands.remove(offered.spare);
      }
    }
    if (over.length > 0) void putAside(over);
    pump();
  }

  async function putAside(messages: readonly Received[]): Promise<void> {
    try {
      await aside.put(messages);
      for (const message of messages) {
        metrics.putAside.inc({ fn: message.function });
        void hands.remove(message);
      }
    } catch (error) {
      log.warn('could not put aside', { count: messages.length, error: String(error) });
      await hands.giveBack(messages, 5);
    }
  }

  function pump(): void {
    while (!draining) {
      const message = lanes.next(breaker.atOnce(limits.atOnce));
      if (message === undefined) break;
      void run(message);
    }
    if (hasRoom()) for (const resolve of waitingForRoom.splice(0)) resolve();
    if (lanes.running() === 0) for (const resolve of whenStill.splice(0)) resolve();
  }

  async function run(message: Received): Promise<void> {
    metrics.inFlight.set(lanes.running());
    try {
      const { receives, covered } = message;
      const outcome = await functions.get(message.function)?.handle(message.event, { receives, covered }, machine);
      breaker.saw(outcome?.kind === 'transient');
      void hands.remove(message);
    } catch {
      // A defect, told by the wrapper. The queue counts its receives and buries it after the last.
      const seconds = backoffSeconds(message.receives, random(), machine.settings.retry);
      void hands.giveBack([message], Math.ceil(seconds));
    } finally {
      lanes.done(message);
      metrics.inFlight.set(lanes.running());
      aside.bringBack(message.tenant);
      pump();
    }
  }

  /** Takes follow-ups that have rows behind them, as far as there is room for them; returns the others. */
  function take(messages: readonly Message[]): readonly Message[] {
    if (draining) return messages;
    const time = new Date(clock.now()).toISOString();
    const others: Message[] = [];
    for (const message of messages) {
      const near =
        functions.has(message.function) && hasRoom() && lanes.held(message.tenant) < limits.heldPerTenant / 2;
      if (near) deliver([fromRow(message, time)]);
      else others.push(message);
    }
    return others;
  }

  function hasRoom(): boolean {
    return !draining && lanes.held() < limits.atOnce * heldPerSlot;
  }

  async function room(signal: AbortSignal): Promise<void> {
    await breaker.pause(signal);
    if (hasRoom()) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', go);
        resolve();
      };
      waitingForRoom.push(go);
      signal.addEventListener('abort', go, { once: true });
    });
  }

  const pollers = routes.map((route) =>
    startPoller({ route, sqs, urls, visibilitySeconds, clock, random, log, room, deliver }),
  );

  return {
    take,
    /** The pollers and how long their queues have been silent. */
    silence: () => pollers.map((poller) => ({ function: poller.function, ms: poller.silentMs() })),
    /** Stops receiving, waits for what runs, gives back what has not begun. */
    async drain(seconds: number): Promise<void> {
      draining = true;
      aside.close();
      await Promise.all(pollers.map((poller) => poller.stop()));
      await hands.giveBack(lanes.clear(), 0);
      if (lanes.running() > 0) {
        const still = new Promise<void>((resolve) => whenStill.push(resolve));
        const patience = new Promise<void>((resolve) => setTimeout(resolve, seconds * 1_000).unref());
        await Promise.race([still, patience]);
      }
      await hands.close();
    },
  };
}
