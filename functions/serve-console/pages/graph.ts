import type { View } from '../../../shared/runtime/page/kept-views.ts';
import { showCells } from './shown-cell.ts';
import { showPromotion } from './shown-promotion.ts';
import type { Sources } from './sources.ts';

/** More of its past than this is what `npm run ops` is for. */
const mostPromotions = 20;

/** The environments of a namespace, which follows which, and the snapshots of an application on their way over them. */
export const graph: View<Sources> = {
  name: 'graph',
  async read([namespace, application, ...more], { reader, environments }) {
    if (more.length > 0) return undefined;
    const { byNamespace, isKnown } = await environments();
    const namespaces = [...byNamespace.keys()].toSorted();
    if (namespace === undefined) return { areEnvironmentsKnown: isKnown, namespaces };
    const [cells, open, failed, past] = await Promise.all([
      reader.board(namespace),
      reader.open(namespace),
      reader.failed(namespace),
      application === undefined ? [] : reader.of({ namespace, name: application }, mostPromotions),
    ]);
    const places = byNamespace.get(namespace) ?? [];
    if (places.length === 0 && cells.length === 0 && open.length === 0) return undefined;
    const isKnownOf = past.length > 0 || cells.some((cell) => cell.application === application);
    if (application !== undefined && !isKnownOf) return undefined;
    const names = [...new Set([...cells, ...open].map((one) => one.application))].toSorted();
    const cellsOf = Map.groupBy(cells, (cell) => cell.application);
    const openOf = Map.groupBy(open, (one) => one.application);
    const failedOf = Map.groupBy(failed, (one) => one.application);
    const shown = application === undefined ? names : [application];
    return {
      areEnvironmentsKnown: isKnown,
      namespaces,
      namespace,
      application,
      applications: names,
      environments: places,
      cells: shown.flatMap((name) => showCells(cellsOf.get(name) ?? [], openOf.get(name) ?? [], failedOf.get(name))),
      promotions: (application === undefined ? open : past).map((one) => ({
        ...showPromotion(one),
        application: one.application,
      })),
    };
  },
};
