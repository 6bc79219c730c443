/** Chance that can be had again: the same seed gives the same throws. */
export interface Chance {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** True `percent` times out of a hundred. */
  happens(percent: number): boolean;
  oneOf<T>(choices: readonly T[]): T;
  /** Takes one out of a list that is not empty. */
  takeFrom<T>(list: T[]): T;
}

export function openChance(seed: number): Chance {
  let state = seed + 0x6d2b79f5;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const below = (end: number): number => Math.floor(next() * end);
  function oneOf<T>(choices: readonly T[]): T {
    const chosen = choices[below(choices.length)];
    if (chosen === undefined && choices.length === 0) throw new Error('there is nothing to choose from');
    return chosen as T;
  }
  return {
    below,
    happens: (percent) => below(100) < percent,
    oneOf,
    takeFrom: (list) => list.splice(below(list.length), 1)[0] as (typeof list)[number],
  };
}
