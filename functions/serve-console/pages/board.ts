import type { ToldCell, ToldPromotion } from '../../../shared/ports/promotion-reader.ts';
import type { View } from '../../../shared/runtime/page/kept-views.ts';
import { byName, type ShownEnvironment } from './environments.ts';
import { showCells } from './shown-cell.ts';
import { showPromotion } from './shown-promotion.ts';
import type { Sources } from './sources.ts';

/** Applications × environments: what runs where, how it does, what waits and why. */
export const board: View<Sources> = {
  name: 'board',
  async read(names, { reader, environments }) {
    if (names.length > 0) return undefined;
    const [cells, open, failed, { byNamespace, isKnown }] = await Promise.all([
      reader.board(),
      reader.open(),
      reader.failed(),
      environments(),
    ]);
    const namespaces = new Map<string, Map<string, Pile>>();
    for (const cell of cells) pileOf(namespaces, cell).cells.push(cell);
    for (const promotion of open) pileOf(namespaces, promotion).open.push(promotion);
    for (const promotion of failed) pileOf(namespaces, promotion).failed.push(promotion);
    return {
      areEnvironmentsKnown: isKnown,
      namespaces: [...namespaces]
        .map(([name, piles]) => ({
          name,
          environments: columnsOf([...piles.values()], byNamespace.get(name) ?? []),
          applications: [...piles]
            .map(([application, pile]) => ({
              name: application,
              cells: showCells(pile.cells, pile.open, pile.failed),
              promotions: [...pile.open, ...pile.failed].map(showPromotion),
            }))
            .toSorted(byName),
        }))
        .toSorted(byName),
    };
  },
};

interface Pile {
  readonly cells: ToldCell[];
  readonly open: ToldPromotion[];
  /** Its last one, where that failed. */
  readonly failed: ToldPromotion[];
}

function pileOf(
  namespaces: Map<string, Map<string, Pile>>,
  { namespace, application }: { readonly namespace: string; readonly application: string },
): Pile {
  const piles = namespaces.get(namespace) ?? new Map<string, Pile>();
  namespaces.set(namespace, piles);
  const pile = piles.get(application) ?? { cells: [], open: [], failed: [] };
  piles.set(application, pile);
  return pile;
}

/** Those that are there, in their order; behind them those that only the rows remember. */
function columnsOf(piles: readonly Pile[], there: readonly ShownEnvironment[]) {
  const known = new Set(there.map(({ name }) => name));
  const named = piles.flatMap(({ cells, open }) => [
    ...cells.map(({ environment }) => environment),
    ...open.flatMap(({ steps }) => steps.map(({ environment }) => environment)),
  ]);
  const others = [...new Set(named)].filter((name) => !known.has(name)).toSorted();
  return [
    ...there.map(({ name, label, isAutomated, parent, depth }) => ({
      name,
      label,
      isAutomated,
      // A circle has no order, and nothing ever comes to what is behind one: no line leads there.
      parent: depth === undefined ? '' : parent,
    })),
    ...others.map((name) => ({ name, label: name })),
  ];
}
