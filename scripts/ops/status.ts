import { applications, environments } from '../../shared/contracts/kubernetes/kinds.ts';
import { graphEnvironmentOf } from '../../shared/contracts/promotions.ts';
import { promotionOrder } from '../../shared/domain/environment/promotion-order.ts';
import type { GraphEnvironment } from '../../shared/domain/promotion/promotion.ts';
import type { ToldCell, ToldPromotion } from '../../shared/ports/promotion-reader.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import { expectNamespace } from './expect-namespace.ts';
import { momentInWords } from './in-words.ts';
import { firstOf } from './lay-out.ts';
import type { Paint } from './paint.ts';
import { readKey, readNamespace } from './read-names.ts';
import { table } from './render-releases.ts';
import { failureOf, type ToldFailure, type ToldWaiting, waitsOf } from './status-waits.ts';

export interface Status {
  readonly namespace?: string | undefined;
  readonly application?: string | undefined;
  /** By namespace and application, and in the order in which a snapshot passes the environments. */
  readonly places: readonly StatusPlace[];
  readonly now: string;
}

interface StatusPlace extends Pick<ToldCell, 'namespace' | 'application' | 'environment'> {
  /** Undefined: nothing should run there yet. */
  readonly cell?: ToldCell | undefined;
  readonly waits: readonly ToldWaiting[];
  /** The last promotion of the application, where it failed here and nothing came after it. */
  readonly failure?: ToldFailure | undefined;
}

/** What should run where, how it is doing, and what waits. Reads only. */
export async function runStatus(
  context: Context,
  { of }: { readonly of?: string | undefined },
): Promise<Result<Status>> {
  const { namespace, name: application } =
    of === undefined
      ? { namespace: undefined, name: undefined }
      : of.includes('/')
        ? readKey('application', of)
        : { namespace: readNamespace(of), name: undefined };
  const [board, open, failed, graphs] = await Promise.all([
    context.promotions.board(namespace),
    context.promotions.open(namespace),
    context.promotions.failed(namespace),
    graphsIn(context, namespace),
  ]);
  const isAsked = (one: { readonly application: string }): boolean =>
    application === undefined || one.application === application;
  const depths = depthsIn(graphs);
  const told = { board: board.filter(isAsked), open: open.filter(isAsked), failed: failed.filter(isAsked), graphs };
  const places = placesOf(told, context.now()).toSorted(
    (one, other) =>
      byApplication(one, other) || depths(one) - depths(other) || (one.environment < other.environment ? -1 : 1),
  );
  if (places.length === 0 && namespace !== undefined) await expectPlace(context, namespace, application);
  return {
    code: exits.ok,
    value: {
      ...(namespace !== undefined && { namespace }),
      ...(application !== undefined && { application }),
      places,
      now: new Date(context.now()).toISOString(),
    },
  };
}

export function renderStatus({ namespace, application, places, now }: Status, limit: number, paint: Paint): string {
  const at = Date.parse(now);
  const of = application === undefined ? namespace : `${namespace}/${application}`;
  if (places.length === 0)
    return paint.dim(
      `Nothing is deployed${of === undefined ? '' : ` of ${of}`} yet, and nothing waits. To promote a snapshot: npm run ops -- promote <namespace/application> --snapshot <snapshot> --to <environment>`,
    );
  const rows = places.map(({ cell, waits, failure, ...place }) => [
    namespace === undefined ? `${place.namespace}/${place.application}` : place.application,
    place.environment,
    cell?.snapshot ?? '-',
    healthInWords(cell, paint),
    cell === undefined ? '-' : momentInWords(cell.since, at),
    [...waits.map(({ text }) => paint.wait(text)), ...(failure ? [paint.bad(failure.text)] : [])].join('; '),
  ]);
  const waiting = places.filter(({ waits, failure }) => waits.length > 0 || failure !== undefined).length;
  return [
    ...firstOf(
      table(['application', 'environment', 'snapshot', 'health', 'since', 'waits for'], rows, paint),
      limit + 1,
    ),
    ...(waiting === 0
      ? []
      : [
          '',
          paint.dim('More about one that waits or has failed: npm run ops -- explain PromotionRun <namespace/name>'),
        ]),
  ].join('\n');
}

function healthInWords(cell: ToldCell | undefined, paint: Paint): string {
  if (cell === undefined || cell.health === '') return '-';
  const { health, sync } = cell;
  const words = sync === 'Synced' || sync === '' ? health : `${health}, ${sync}`;
  if (health === 'Degraded' || health === 'Missing') return paint.bad(words);
  return words === 'Healthy' ? paint.good(words) : paint.wait(words);
}

/** The Environments of every namespace. */
type Graphs = ReadonlyMap<string, readonly GraphEnvironment[]>;

interface Told {
  readonly board: readonly ToldCell[];
  readonly open: readonly ToldPromotion[];
  readonly failed: readonly ToldPromotion[];
  readonly graphs: Graphs;
}

/** Every cell, and every place that a promotion is on its way to and nothing runs in yet. */
function placesOf({ board, open, failed, graphs }: Told, now: number): readonly StatusPlace[] {
  const places = new Map<string, Omit<StatusPlace, 'waits'>>();
  const key = (one: Pick<ToldCell, 'namespace' | 'application' | 'environment'>): string =>
    `${one.namespace}/${one.application}/${one.environment}`;
  for (const cell of board) {
    const { namespace, application, environment } = cell;
    places.set(key(cell), { namespace, application, environment, cell });
  }
  for (const { namespace, application, steps, beginsIn } of [...open, ...failed])
    for (const environment of [...beginsIn, ...steps.map((step) => step.environment)]) {
      const place = { namespace, application, environment };
      if (!places.has(key(place))) places.set(key(place), place);
    }
  const byPlace = Map.groupBy(open, ({ namespace, application }) => `${namespace}/${application}`);
  return [...places.values()].map((place) => {
    const failure = failureOf(place, place.cell, failed, now);
    return {
      ...place,
      waits: waitsOf(
        place.environment,
        place.cell,
        byPlace.get(`${place.namespace}/${place.application}`) ?? [],
        graphs.get(place.namespace) ?? [],
        now,
      ),
      ...(failure !== undefined && { failure }),
    };
  });
}

function byApplication(one: StatusPlace, other: StatusPlace): number {
  if (one.namespace !== other.namespace) return one.namespace < other.namespace ? -1 : 1;
  if (one.application !== other.application) return one.application < other.application ? -1 : 1;
  return 0;
}

/** Without a cluster to ask there are none: names have to do for the order, and what only they know is left out. */
async function graphsIn(context: Context, namespace: string | undefined): Promise<Graphs> {
  const graphs = new Map<string, GraphEnvironment[]>();
  try {
    for await (const page of context.world().clusters.local.list(environments, { namespace }))
      for (const one of page) {
        const { namespace: own } = one.metadata;
        const environment = graphEnvironmentOf(one);
        if (graphs.get(own)?.push(environment) === undefined) graphs.set(own, [environment]);
      }
  } catch {
    // It is away, or nobody said where it is; whoever needs it for more than this will say so.
  }
  return graphs;
}

/** How far behind the beginning an environment stands. */
function depthsIn(graphs: Graphs): (place: { readonly namespace: string; readonly environment: string }) => number {
  const orders = new Map([...graphs].map(([name, graph]) => [name, promotionOrder(graph)] as const));
  return (place) => orders.get(place.namespace)?.depthOf(place.environment) ?? Number.MAX_SAFE_INTEGER;
}

async function expectPlace(context: Context, namespace: string, name: string | undefined): Promise<void> {
  await expectNamespace(context, namespace);
  if (name === undefined) return;
  if ((await context.world().clusters.local.read(applications, { namespace, name })) !== undefined) return;
  throw new Exit(
    exits.notFound,
    `There is no Application ${namespace}/${name}, and nothing of one is deployed. All of the namespace: npm run ops -- status ${namespace}`,
  );
}
