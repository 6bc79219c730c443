import { considerPromotion } from './consider-promotion.ts';
import type { Run, SeenPromotion, StoredRun } from './promotion.ts';
import { notDeployed } from './what-stands.ts';

/** Before any deadline: who only wants to know what would be made asks for a little too much rather than too little. */
const anyTime = 0;

interface Asked {
  readonly bindings: readonly string[];
  readonly syncs: readonly string[];
  /** It misses components, of which somebody may have said that nothing is to be written for them. */
  readonly isMissing: boolean;
}

/** The names of what an active run is about to make, for whoever can look whether it is there already. */
export function namesToAskFor(seen: SeenPromotion, run: Run, stored: StoredRun): Asked {
  const { begin, steps } = considerPromotion(seen, run, stored, anyTime);
  return {
    bindings: begin.filter(({ binding }) => binding === undefined).map(({ name }) => name),
    syncs: steps.flatMap(({ syncs = [] }) => syncs.map(({ name }) => name)),
    isMissing: seen.skipped === undefined && steps.some(({ reason }) => reason === notDeployed),
  };
}
