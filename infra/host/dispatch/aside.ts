import type { Logger } from '../../../shared/adapters/telemetry/logger.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Upkeep } from '../../../shared/ports/upkeep.ts';
import { fromRow, type Received } from './received.ts';

export interface AsideSettings {
  readonly upkeep: Upkeep;
  readonly functions: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  /** How many more of this tenant fit into its lane. */
  readonly roomFor: (tenant: string) => number;
  readonly deliver: (messages: readonly Received[]) => void;
}

/**
 * The knocks of tenants over their share, in rows instead of in everybody's way. Each comes back when its tenant has
 * room; rows that another host left behind are found by asking now and then.
 */
export function openAside({ upkeep, functions, clock, log, roomFor, deliver }: AsideSettings) {
  const tenants = new Set<string>();
  const fetching = new Set<string>();
  let stopped = false;
  // Our own are brought back as soon as there is room: this is for rows of a host that went away.
  const asking = setInterval(() => void ask(), 10_000).unref();

  async function ask(): Promise<void> {
    if (functions.length === 0) return;
    try {
      for (const tenant of await upkeep.tenantsAside(functions)) {
        tenants.add(tenant);
        bringBack(tenant);
      }
    } catch (error) {
      log.debug('could not ask what is aside', { error: String(error) });
    }
  }

  function bringBack(tenant: string): void {
    const room = roomFor(tenant);
    // Half a lane at a time: one round trip for many, and the lane never runs dry.
    if (stopped || !tenants.has(tenant) || fetching.has(tenant) || room < 1) return;
    fetching.add(tenant);
    void fetch(tenant, room).finally(() => fetching.delete(tenant));
  }

  async function fetch(tenant: string, most: number): Promise<void> {
    try {
      const messages = await upkeep.takeAside(tenant, functions, most);
      if (messages.length < most) tenants.delete(tenant);
      const time = new Date(clock.now()).toISOString();
      if (messages.length > 0) deliver(messages.map((message) => fromRow(message, time)));
    } catch (error) {
      log.warn('could not bring back what is aside', { namespace: tenant, error: String(error) });
    }
  }

  return {
    async put(messages: readonly Received[]): Promise<void> {
      await upkeep.putAside(messages.flatMap(({ message }) => (message === undefined ? [] : [message])));
      for (const { tenant } of messages) tenants.add(tenant);
    },
    bringBack,
    close(): void {
      stopped = true;
      clearInterval(asking);
    },
  };
}
