import { deploymentName } from '../../../domain/binding/deployment-name.ts';
import type { ToldCell } from '../../../ports/promotion-reader.ts';
import { moment } from './told-promotions.ts';

type Read = <Row extends object>(
  text: string,
  parameters: readonly (string | null | readonly string[])[],
) => Promise<Row[]>;

interface CellRow extends Omit<ToldCell, 'sync' | 'health' | 'trouble'> {
  readonly components: readonly string[];
  /** Where they are known; else they follow from the components. */
  readonly deployments: readonly string[] | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly troubledSince: string | null;
}

/** What Argo CD says of a deployment. Null: nothing. */
interface State {
  readonly sync: string | null;
  readonly health: string | null;
}

type Said = State & { readonly namespace: string; readonly name: string };

const asItShould: State = { sync: 'Synced', health: 'Healthy' };

const isRendered = 'o.rendered_digest is not distinct from o.wanted_digest';

/** $1 namespace, or null for all. Of several Bindings for one pair the one counts that asked last. */
const writtenByUs = `
  select distinct on (o.namespace, o.application, o.environment) o.namespace, o.application, o.environment, o.name as binding,
    o.snapshot, coalesce(o.commit_id, '') as commit, ${isRendered} as "isRendered",
    ${moment(`coalesce(case when ${isRendered} then o.rendered_at end, o.requested_at)`)} as since,
    array(select r->>'component' from jsonb_array_elements(o.results) r where r ? 'path') as components,
    null as deployments, o.trouble_reason as reason, o.trouble_message as message,
    ${moment('o.trouble_since')} as "troubledSince"
  from binding_overlay o where not o.gone and ($1::text is null or o.namespace = $1)
  order by o.namespace, o.application, o.environment, o.requested_at desc, o.id`;

/**
 * Where somebody else writes the repository, the last promotion tells, as long as anything is deployed by it. History is long,
 * and mostly its newest page is the answer: only as much of it is looked at.
 */
const writtenByOthers = `
  select w.namespace, w.application, w.environment, last.*, '{}'::text[] as components, null as reason, null as message,
    null as "troubledSince"
  from (select distinct p.namespace, p.application, t.environment
    from application_place a
    join promotion p on p.namespace = a.namespace and p.application = a.name
    join promotion_step t on t.promotion_id = p.id
    where a.repository_id is null and ($1::text is null or a.namespace = $1)) w
  cross join lateral (
    select t.binding, p.snapshot, t.commit_id as commit, t.commit_id <> '' as "isRendered", ${moment('t.began_at')} as since,
      d.deployments
    from promotion p
    join promotion_step t on t.promotion_id = p.id and t.environment = w.environment
    cross join lateral (
      select array_agg(e.deployment) as deployments, bool_or(m.id is not null) as stands from promotion_evidence e
      left join deployment_to_application_mapping m on m.namespace = e.namespace and m.name = e.deployment
      where e.promotion_id = t.promotion_id and e.environment = t.environment) d
    where p.namespace = w.namespace and p.application = w.application and (d.stands or t.status = 'in-progress')
    order by p.created_at desc limit 1) last
  where not exists (select from binding_overlay o where o.namespace = w.namespace and o.application = w.application
    and o.environment = w.environment and not o.gone)`;

/**
 * $1 namespaces, $2 names of GitOpsDeployments. Most are as they should be, and need no answer. One that was made again under
 * its name has two rows for a while: the older is on its way out.
 */
const exceptionsQuestion = `
  select q.namespace, q.name, s.sync_status as sync, s.health
  from unnest($1::text[], $2::text[]) q (namespace, name)
  left join deployment_to_application_mapping m on m.name = q.name and m.namespace = q.namespace
  left join application_state s on s.application_id = m.application_id
  where (s.sync_status, s.health) is distinct from ('Synced', 'Healthy') and not exists (
    select from deployment_to_application_mapping n where n.name = m.name and n.namespace = m.namespace and n.seq_id > m.seq_id)`;

/**
 * Three questions, however many environments there are: what should run where, and what Argo CD says of it. Which deployment
 * belongs to which component is a rule (shared/domain/binding/deployment-name.ts) that the database does not know.
 */
export async function readBoard(
  read: Read,
  digest: (text: string) => string,
  namespace: string | undefined,
): Promise<readonly ToldCell[]> {
  const [ours, others] = await Promise.all([
    read<CellRow>(writtenByUs, [namespace ?? null]),
    read<CellRow>(writtenByOthers, [namespace ?? null]),
  ]);
  const cells = [...ours, ...others].map((row) => ({ row, deployments: deploymentsOf(row, digest) }));
  const wanted = cells.flatMap(({ row, deployments }) =>
    deployments.map((name) => ({ namespace: row.namespace, name })),
  );
  const names = [wanted.map((one) => one.namespace), wanted.map(({ name }) => name)];
  const exceptions = wanted.length === 0 ? [] : await read<Said>(exceptionsQuestion, names);
  const said = new Map(exceptions.map((one) => [`${one.namespace}/${one.name}`, one]));
  return cells
    .map(({ row, deployments }) =>
      toCell(
        row,
        deployments.map((name) => said.get(`${row.namespace}/${name}`) ?? asItShould),
      ),
    )
    .toSorted(inOrder);
}

function deploymentsOf(row: CellRow, digest: (text: string) => string): readonly string[] {
  const { binding, application, environment, components, deployments } = row;
  return (
    deployments ??
    components.map((component) => deploymentName({ binding, application, environment, component }, digest))
  );
}

function toCell(row: CellRow, states: readonly State[]): ToldCell {
  const { components: _, deployments: __, reason, message, troubledSince, ...cell } = row;
  return {
    ...cell,
    sync: worst(
      syncs,
      states.map((state) => state.sync ?? ''),
    ),
    health: worst(
      healths,
      states.map((state) => state.health ?? ''),
    ),
    ...(reason !== null &&
      troubledSince !== null && { trouble: { reason, message: message ?? '', since: troubledSince } }),
  };
}

/** From bad to good, as Argo CD itself counts the health of an Application. */
const healths = ['Unknown', 'Degraded', 'Missing', 'Progressing', 'Suspended', 'Healthy'];
const syncs = ['Unknown', 'OutOfSync', 'Synced'];

/** Empty: nothing was said of any of them. Where something was said of some, the others are unknown. */
function worst(order: readonly string[], said: readonly string[]): string {
  if (said.every((one) => one === '')) return '';
  const ranks = said.map((one) => Math.max(0, order.indexOf(one)));
  return order[Math.min(...ranks)] ?? '';
}

function inOrder(one: ToldCell, other: ToldCell): number {
  return (
    compare(one.namespace, other.namespace) ||
    compare(one.application, other.application) ||
    compare(one.environment, other.environment)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
