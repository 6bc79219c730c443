/** What is wanted of one environment of a repository, and since when. */
interface Asked {
  readonly environment: string;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
}

/** More take so long to plan that somebody who pushes all the time would always be faster. */
export const mostInOneCommit = 100;

/**
 * Chooses what the next commit is made of, the oldest wishes first. What concerns one environment is never torn apart: one
 * Binding may leave what another one wants there, and between two commits nothing would stand.
 */
export function chooseOverlays<Overlay extends Asked>(
  overlays: readonly Overlay[],
): { readonly chosen: readonly Overlay[]; readonly isMore: boolean } {
  if (overlays.length <= mostInOneCommit) return { chosen: overlays, isMore: false };
  const oldest = ([one]: readonly Overlay[]): number => one?.requestedAt ?? 0;
  const groups = [...Map.groupBy(overlays, ({ environment }) => environment).values()]
    .map((group) => group.toSorted((one, other) => one.requestedAt - other.requestedAt))
    .toSorted((one, other) => oldest(one) - oldest(other));
  const taken = new Set<Overlay>();
  for (const group of groups)
    if (taken.size === 0 || taken.size + group.length <= mostInOneCommit) for (const one of group) taken.add(one);
    else break;
  // In the order that they came in: what is written says nothing about who asked first.
  return { chosen: overlays.filter((one) => taken.has(one)), isMore: taken.size < overlays.length };
}
