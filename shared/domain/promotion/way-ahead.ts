import { automatedChildren, type Left } from './choose-environments.ts';
import type { GraphEnvironment } from './promotion.ts';

/** Where a snapshot goes from some environments, if all goes well and nobody changes the graph. */
export interface WayAhead {
  /** Those that it goes on to by itself, one depth after the other. */
  readonly next: readonly (readonly string[])[];
  /** Those where it stops, and why. */
  readonly stops: readonly (Left & { readonly behind: string })[];
}

/** What has been passed is not passed again by the same run. */
export function wayAhead(
  from: readonly string[],
  environments: readonly GraphEnvironment[],
  passed: readonly string[] = [],
): WayAhead {
  const been = new Set([...passed, ...from]);
  const next: string[][] = [];
  const stops: (Left & { readonly behind: string })[] = [];
  for (let depth = from; depth.length > 0; ) {
    const { next: children, left } = automatedChildren(depth, environments);
    stops.push(
      ...left.map((one) => ({ ...one, behind: environments.find(({ name }) => name === one.name)?.parent ?? '' })),
    );
    const fresh = children.filter((name) => !been.has(name));
    if (fresh.length > 0) next.push(fresh);
    for (const name of fresh) been.add(name);
    depth = fresh;
  }
  return { next, stops };
}
