import { type Condition, isSameCondition, type Said } from './condition.ts';
import { instantOf } from './instant.ts';

/**
 * What an object says, with these conditions in place. One that says the same as before keeps its time and its place.
 * Undefined: nothing of it is new, so there is nothing to write.
 */
export function withConditions(
  said: readonly Said[],
  conditions: readonly Condition[],
  now: number,
): readonly Said[] | undefined {
  const last = conditions.filter(({ type }, place) => conditions.findLastIndex((one) => one.type === type) === place);
  const fresh = last.filter((condition) => !said.some((one) => isSameCondition(one, condition)));
  if (fresh.length === 0) return undefined;
  const told = fresh.map(
    ({ type, status, reason, message }): Said => ({
      type,
      status,
      reason,
      message,
      lastTransitionTime: instantOf(now),
    }),
  );
  const kept = said.map((one) => told.find(({ type }) => type === one.type) ?? one);
  return [...kept, ...told.filter(({ type }) => !said.some((one) => one.type === type))];
}
