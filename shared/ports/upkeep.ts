import type { Message } from './journal.ts';

/** What stands between a lost message and a lost intent. */
export interface Upkeep {
  /** Wake-ups whose time has come, and knocks that nobody served in time. Whoever takes them sends them. */
  takeDue(most: number): Promise<readonly Message[]>;
  /** Seconds by which the oldest of them is late. */
  overdueSeconds(): Promise<number>;
  /** Lets knocks of a tenant over its share wait in rows. */
  putAside(messages: readonly Message[]): Promise<void>;
  /** The tenants that have knocks aside for any of these functions. */
  tenantsAside(functions: readonly string[]): Promise<readonly string[]>;
  /** The oldest knocks a tenant has aside. Whoever takes them runs them. */
  takeAside(tenant: string, functions: readonly string[], most: number): Promise<readonly Message[]>;
  /** True for exactly one of all who ask for this slot of this schedule. */
  claimTick(schedule: string, slot: number): Promise<boolean>;
  /** Makes the partitions of the coming days, drops what is older than its retention. Returns what went. */
  sweep(retention: Retention): Promise<Swept>;
}

export interface Retention {
  readonly stepLogDays: number;
  readonly ledgerDays: number;
  readonly servedDays: number;
}

export interface Swept {
  readonly partitions: readonly string[];
  readonly rows: number;
}
