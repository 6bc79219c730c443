/** An Environment and the one that a snapshot passes before it. */
export interface ParentLink {
  readonly name: string;
  /** Empty: none. */
  readonly parent: string;
}

/** Which Environment follows which. Names come in the order of their code units, so that everybody sees the same. */
export interface PromotionOrder {
  /** Where promotion starts: those without a parent, and those whose parent is not there. */
  readonly roots: readonly string[];
  childrenOf(name: string): readonly string[];
  /** How many Environments a snapshot has passed before it comes here. Undefined: it never does, or there is none of this name. */
  depthOf(name: string): number | undefined;
  /** The circle that it is part of, from the first name on, each before the one that it names as its parent. */
  cycleOf(name: string): readonly string[] | undefined;
  /** It names a parent that is not there. */
  isParentMissing(name: string): boolean;
}

/**
 * Reads the order out of all Environments of one namespace. Each has one parent at most, so following parents either ends
 * at a root or goes round in a circle. What stands in a circle, or behind one, has no depth: no snapshot gets there.
 *
 * Nothing here calls itself: a chain may be as long as it likes.
 */
export function promotionOrder(links: Iterable<ParentLink>): PromotionOrder {
  const parents = new Map<string, string>();
  for (const { name, parent } of links) parents.set(name, parent);
  const names = [...parents.keys()].toSorted(byCodeUnits);
  const children = new Map<string, string[]>();
  const roots: string[] = [];
  for (const name of names) {
    const parent = parents.get(name) ?? '';
    if (!parents.has(parent)) roots.push(name);
    else if (children.get(parent)?.push(name) === undefined) children.set(parent, [name]);
  }
  const depths = depthsFrom(roots, children);
  const cycles = cyclesAmong(
    names.filter((name) => !depths.has(name)),
    parents,
  );
  return {
    roots,
    childrenOf: (name) => children.get(name) ?? [],
    depthOf: (name) => depths.get(name),
    cycleOf: (name) => cycles.get(name),
    isParentMissing: (name) => (parents.get(name) ?? '') !== '' && !parents.has(parents.get(name) ?? ''),
  };
}

function depthsFrom(roots: readonly string[], children: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const depths = new Map<string, number>();
  let level: readonly string[] = roots;
  for (let depth = 0; level.length > 0; depth += 1) {
    for (const name of level) depths.set(name, depth);
    level = level.flatMap((name) => children.get(name) ?? []);
  }
  return depths;
}

/** Whoever has no depth is in a circle or behind one: the way along the parents tells which. */
function cyclesAmong(names: readonly string[], parents: ReadonlyMap<string, string>): Map<string, readonly string[]> {
  const cycles = new Map<string, readonly string[]>();
  const passed = new Set<string>();
  for (const start of names) {
    const way = new Map<string, number>();
    let at = start;
    while (!passed.has(at)) {
      passed.add(at);
      way.set(at, way.size);
      at = parents.get(at) ?? '';
    }
    const entry = way.get(at);
    // The way ran into one that was walked before: its circle is known by now.
    if (entry === undefined) continue;
    const cycle = fromTheFirst([...way.keys()].slice(entry));
    for (const name of cycle) cycles.set(name, cycle);
  }
  return cycles;
}

/** The same circle is told in the same words, whoever is asked. */
function fromTheFirst(circle: readonly string[]): readonly string[] {
  const first = circle.reduce((least, name) => (byCodeUnits(name, least) < 0 ? name : least));
  const at = circle.indexOf(first);
  return [...circle.slice(at), ...circle.slice(0, at)];
}

function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
