import type { ObjectKind } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Engine } from '../../shared/domain/gitops/placement.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import type { RowRange } from '../../shared/ports/drift-rows.ts';
import { isTrouble } from '../../shared/ports/trouble.ts';
import { type Came, pageSize, type Turn } from './turn.ts';

/** One Argo CD, and the cluster it runs in. */
export interface Place {
  readonly engine: Engine;
  readonly cluster: Cluster;
}

/** How things of one kind beside an Argo CD are compared with their rows. */
export interface Comparison<Found, Row> {
  readonly objects: ObjectKind;
  readonly labelSelector?: string | undefined;
  /** The key of the row that stands behind an object; undefined where it is none of ours. */
  idOf(object: Found): string | undefined;
  rows(engine: Engine, range: RowRange): Promise<readonly Row[]>;
  /** Objects and rows of one range; neither is complete without the other. */
  compare(place: Place, objects: readonly Found[], rows: readonly Row[], turn: Turn): Promise<void>;
}

/**
 * Compares at one Argo CD after the other. An Argo CD that cannot be reached is told in the report and does not keep the
 * others waiting. Objects are listed in the order of their names, which is the order of their rows' keys.
 */
export async function atEveryEngine<Found, Row extends { readonly id: string }>(
  comparison: Comparison<Found, Row>,
  turn: Turn,
): Promise<Came> {
  const [instance = '', from = ''] = turn.after.split(' ');
  const places = (await placesOf(turn)).filter(({ engine }) => engine.instanceId >= instance);
  const troubles: string[] = [];
  let looked = 0;
  for (const place of places) {
    const { instanceId, namespace } = place.engine;
    try {
      const came = await atOne(
        comparison,
        place,
        instanceId === instance ? from : '',
        (many) => turn.isUp(looked + many),
        turn,
      );
      looked += came.looked;
      if (!came.done) return { done: false, after: `${instanceId} ${came.after}`, looked };
    } catch (error) {
      // What is not about this Argo CD is for whoever gave us the turn.
      if (!isTrouble(error) || ('dependency' in error && error.dependency !== 'cluster')) throw error;
      troubles.push(`${namespace}: ${error.message}`);
    }
  }
  return { done: true, after: '', looked, ...(troubles.length > 0 && { trouble: troubles.join('; ') }) };
}

/** Every Argo CD that we can reach; one that only its own agent can reach is that agent's to look after. */
async function placesOf({ machine }: Pick<Turn, 'machine'>): Promise<readonly Place[]> {
  const { tenants, engineClusters, clusters } = machine.world;
  const engines = (await tenants.engines()).toSorted((one, other) => (one.instanceId < other.instanceId ? -1 : 1));
  const remote = engines.every(({ local }) => local) ? [] : await engineClusters.list();
  return engines.flatMap((engine): Place[] => {
    if (engine.local) return [{ engine, cluster: clusters.local }];
    const known = remote.find(({ clusterId }) => clusterId === engine.clusterId);
    return known === undefined ? [] : [{ engine, cluster: clusters.at(known.access) }];
  });
}

async function atOne<Found, Row extends { readonly id: string }>(
  comparison: Comparison<Found, Row>,
  place: Place,
  from: string,
  isUp: (looked: number) => boolean,
  turn: Turn,
): Promise<Came> {
  const { engine, cluster } = place;
  const { objects, labelSelector, idOf } = comparison;
  let after = from;
  let looked = 0;
  const list = cluster.list(objects, { namespace: engine.namespace, labelSelector, signal: turn.signal });
  for await (const page of list) {
    const found = (page as readonly Found[]).filter((one) => (idOf(one) ?? '') > after);
    const last = found.at(-1);
    if (last === undefined) continue;
    const through = idOf(last) ?? '';
    looked += await compareRange(comparison, place, found, { after, through }, turn);
    after = through;
    if (isUp(looked)) return { done: false, after, looked };
  }
  looked += await compareRange(comparison, place, [], { after, through: undefined }, turn);
  return { done: true, after: '', looked };
}

/** A range with more rows than a page is read in pages: the objects of each are those up to its last row. */
async function compareRange<Found, Row extends { readonly id: string }>(
  { rows, idOf, compare }: Comparison<Found, Row>,
  place: Place,
  objects: readonly Found[],
  range: Pick<RowRange, 'after' | 'through'>,
  turn: Turn,
): Promise<number> {
  let left = objects;
  let looked = 0;
  for (let after = range.after; ; ) {
    const page = await rows(place.engine, { after, through: range.through, most: pageSize });
    const last = page.length === pageSize ? page.at(-1)?.id : undefined;
    const [near, far] = last === undefined ? [left, []] : split(left, (one) => (idOf(one) ?? '') <= last);
    await compare(place, near, page, turn);
    looked += Math.max(near.length, page.length);
    if (last === undefined) return looked;
    after = last;
    left = far;
  }
}

function split<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const { first = [], second = [] } = Object.groupBy(items, (item) => (isFirst(item) ? 'first' : 'second'));
  return [first, second];
}
