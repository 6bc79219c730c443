import { type Condition, instant } from '../application.ts';

/**
 * The conditions after a look at some of their types: those types are replaced, the others stay. One that says the same as
 * before keeps its time.
 */
export function setConditions(
  before: readonly Condition[],
  found: readonly Condition[],
  types: readonly string[],
  now: number,
): readonly Condition[] {
  const kept = before.filter(({ type }) => !types.includes(type));
  const fresh = found.map((condition) => {
    const same = before.find(({ type, message }) => type === condition.type && message === condition.message);
    return same ?? { ...condition, lastTransitionTime: condition.lastTransitionTime ?? instant(now) };
  });
  const word = (one: Condition) => `${one.type}/${one.message}/${one.lastTransitionTime ?? ''}`;
  return [...kept, ...fresh].sort((a, b) => (word(a) < word(b) ? -1 : word(a) > word(b) ? 1 : 0));
}

export function formatConditions(conditions: readonly Condition[]): string {
  return conditions.map(({ type, message }) => `${type}: ${message}`).join(';');
}
