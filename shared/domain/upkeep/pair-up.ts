/** Two lists of the same range, told apart by who is in which. */
export interface Pairs<One, Other> {
  readonly both: readonly (readonly [One, Other])[];
  readonly onlyOne: readonly One[];
  readonly onlyOther: readonly Other[];
}

/** Pairs what has the same identity. An identity occurs once on each side. */
export function pairUp<One, Other>(
  ones: readonly One[],
  others: readonly Other[],
  idOfOne: (one: One) => string,
  idOfOther: (other: Other) => string,
): Pairs<One, Other> {
  const left = new Map(others.map((other) => [idOfOther(other), other]));
  const both: (readonly [One, Other])[] = [];
  const onlyOne: One[] = [];
  for (const one of ones) {
    const other = left.get(idOfOne(one));
    if (other === undefined) onlyOne.push(one);
    else both.push([one, other]);
    left.delete(idOfOne(one));
  }
  return { both, onlyOne, onlyOther: [...left.values()] };
}
