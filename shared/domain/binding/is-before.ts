interface Aged {
  readonly name: string;
  readonly created: number;
}

/** Of two Bindings for one application and environment, does the first one work? The older does; of the same age, the first by name. */
export function isBefore(one: Aged, other: Aged): boolean {
  return one.created < other.created || (one.created === other.created && one.name < other.name);
}
