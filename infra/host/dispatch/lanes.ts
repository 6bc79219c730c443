import { isLater } from '../../../shared/domain/core/interest.ts';

/** A message in this process's hands. */
export interface Held {
  readonly function: string;
  /** Function and subject: two messages with the same one ask for the same look. */
  readonly look: string;
  readonly tenant: string;
  readonly serialKey: string;
  readonly version: string | undefined;
  /** A knock row stands behind it: its step decides by the row, not by the version. */
  readonly pending: boolean;
  /** Messages this one stands for, beside itself. */
  covered: number;
}

export interface LaneLimits {
  readonly atOnce: number;
  readonly atOncePerTenant: number;
  readonly heldPerTenant: number;
}

export type Offered<H> =
  | { readonly kind: 'held' }
  /** One of two that ask for the same look is enough; this is the other one. */
  | { readonly kind: 'covered'; readonly by: H; readonly spare: H }
  /** The tenant has had its share: put it aside. */
  | { readonly kind: 'aside' };

/**
 * Who runs next. Tenants take turns, none has more than its share of the running steps, work under one serial key is
 * one at a time, and messages that ask for the same look wait as one.
 */
export function openLanes<H extends Held>(limits: LaneLimits) {
  const waiting = new Map<string, H[]>();
  const looks = new Map<string, H>();
  const busyKeys = new Set<string>();
  const running = new Map<string, number>();
  let runningCount = 0;
  let heldCount = 0;

  function offer(held: H): Offered<H> {
    const other = looks.get(held.look);
    if (other !== undefined) return cover(other, held);
    const lane = waiting.get(held.tenant) ?? [];
    if (lane.length >= limits.heldPerTenant) return { kind: 'aside' };
    lane.push(held);
    waiting.set(held.tenant, lane);
    looks.set(held.look, held);
    heldCount += 1;
    return { kind: 'held' };
  }

  function cover(other: H, held: H): Offered<H> {
    const [by, spare] = isStronger(held, other) ? [held, other] : [other, held];
    by.covered += spare.covered + 1;
    if (by === held) {
      const lane = waiting.get(held.tenant) ?? [];
      lane[lane.indexOf(other)] = held;
      looks.set(held.look, held);
    }
    return { kind: 'covered', by, spare };
  }

  function next(atOnce = limits.atOnce): H | undefined {
    if (runningCount >= atOnce) return undefined;
    for (const [tenant, lane] of waiting) {
      if ((running.get(tenant) ?? 0) >= limits.atOncePerTenant) continue;
      const index = lane.findIndex(({ serialKey }) => !busyKeys.has(serialKey));
      const [held] = index < 0 ? [] : lane.splice(index, 1);
      if (held === undefined) continue;
      // To the end of the round: the next turn is another tenant's.
      waiting.delete(tenant);
      if (lane.length > 0) waiting.set(tenant, lane);
      looks.delete(held.look);
      busyKeys.add(held.serialKey);
      running.set(tenant, (running.get(tenant) ?? 0) + 1);
      runningCount += 1;
      heldCount -= 1;
      return held;
    }
    return undefined;
  }

  function done({ tenant, serialKey }: H): void {
    busyKeys.delete(serialKey);
    runningCount -= 1;
    const left = (running.get(tenant) ?? 1) - 1;
    if (left === 0) running.delete(tenant);
    else running.set(tenant, left);
  }

  return {
    offer,
    next,
    done,
    /** Messages that wait here, of one tenant or of all. */
    held: (tenant?: string): number => (tenant === undefined ? heldCount : (waiting.get(tenant)?.length ?? 0)),
    running: (): number => runningCount,
    /** Gives up everything that has not begun. */
    clear(): H[] {
      const given = [...waiting.values()].flat();
      waiting.clear();
      looks.clear();
      heldCount = 0;
      return given;
    },
  };
}

/**
 * Which of two messages for one look must stay. The other is taken from the queue at once, so the one that stays must
 * still lead to a look if this process dies: one with a row or without a version always does, else the later version.
 */
function isStronger(one: Held, other: Held): boolean {
  const rank = ({ pending, version }: Held): number => (pending ? 2 : version === undefined ? 1 : 0);
  if (rank(one) !== rank(other)) return rank(one) > rank(other);
  return isLater(one.version, other.version);
}
