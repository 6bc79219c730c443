import type { Sighting, StoredEnd, StoredRun, StoredStep } from '../../../domain/promotion/promotion.ts';

/** A moment of the database in milliseconds since the epoch; null stays null. */
const ms = (column: string): string => `round(extract(epoch from ${column}) * 1000)`;

const runFields = `jsonb_build_object('uid', p.id, 'name', p.name, 'application', p.application, 'created', ${ms('p.created_at')},
  'state', p.state, 'started', ${ms('p.started_at')}, 'waiting', p.waiting)`;

const endFields = `jsonb_build_object('uid', p.id, 'result', p.result, 'reason', p.reason, 'message', p.message,
  'started', ${ms('p.started_at')}, 'at', ${ms('p.completed_at')})`;

/**
 * Whether what Argo CD compared with has the commit in it, as far as our own pushes tell (migrations/0012_commit_lines.sql).
 * When a commit was written down says nothing: it may have been taken out of the branch before the next one came. Null: ask Git.
 */
const contains = `case when s.revision = o.commit_id then true else (
  select r.position >= c.position from pushed_commit c
  join pushed_commit r on r.repository_id = c.repository_id and r.line = c.line
  where c.repository_id = o.repository_id and c.commit_id = o.commit_id and r.commit_id = s.revision) end`;

/** Argo CD is told to deploy it only when somebody asks. */
const isManual = `(w.spec is not null and w.spec #> '{syncPolicy,automated}' is null)`;

/** In the form of what was compared: see migrations/0013_compared_places.sql. */
const wanted = [
  ['source', 'repoURL'],
  ['source', 'path'],
  ['source', 'targetRevision'],
  ['destination', 'name'],
  ['destination', 'namespace'],
]
  .map(([part, field]) => `'${field}', nullif(w.spec #>> '{${part},${field}}', '')`)
  .join(', ');

/** What Argo CD has said is about another source or destination than the deployment has now. */
const isElsewhere = `coalesce(st.compared <> jsonb_strip_nulls(jsonb_build_object(${wanted})), false)`;

/** The deployment that has the name now, where its Argo CD Application stands, or should, and what was said of it. */
const said = (namespace: string, name: string): string => `left join lateral (
  select st.*, ${isManual} as is_manual, ${isElsewhere} as is_elsewhere,
    jsonb_build_object('namespace', i.namespace_name, 'applicationId', a.id) as argo
  from deployment_to_application_mapping m
  join application a on a.id = m.application_id
  join gitops_engine_instance i on i.id = a.engine_instance_id
  left join application_state st on st.application_id = a.id
  cross join lateral (select case when a.spec_field is json object then a.spec_field::jsonb end as spec) w
  where m.namespace = ${namespace} and m.name = ${name} order by m.seq_id desc limit 1) s on true`;

const sighting = (
  namespace: string,
  name: string,
): string => `'report', case when s.application_id is null then null else jsonb_build_object('applicationId', s.application_id,
    'sync', s.sync_status, 'revision', s.revision, 'health', s.health, 'operation', s.operation,
    'trouble', s.trouble, 'observed', ${ms('s.observed_at')}, 'contains', ${contains}, 'isElsewhere', s.is_elsewhere) end,
  'argo', s.argo, 'isManual', s.is_manual,
  'isRefused', exists (select from deployment_trouble r where r.name = ${name} and r.namespace = ${namespace})`;

/** What the Binding of a name has in Git; one before it may have had the name, too. */
const rendered = (namespace: string, name: string): string => `left join lateral (
  select * from binding_overlay b where b.namespace = ${namespace} and b.name = ${name} and not b.gone
  order by b.requested_at desc limit 1) o on true`;

/** Of a step that has ended, what was said last before that. */
const saidLast = `case when t.status = 'in-progress' then '{}' else jsonb_build_object('report', case
  when e.observed_at is null and e.sync_status <> '' then jsonb_build_object('applicationId', e.application_id,
    'sync', e.sync_status, 'revision', e.revision, 'health', e.health, 'operation', e.operation, 'trouble', '',
    'observed', ${ms('t.ended_at')}) end) end`;

/** Of a step that was under way when migrations/0016_snapshot_of_a_step.sql came, nobody noted which run of its name had asked. */
const askedBy = `case when t.snapshot_id = '' and o.promotion_id = '' and o.promotion = (select p.name from promotion p where p.id = t.promotion_id)
  then t.promotion_id else o.promotion_id end`;

/** Until then it was not a digest, but what that would have been made of: `api=<commit>,web=<commit>`. */
const stoodBefore = `case when t.commits_before like '%=%'
  then encode(sha256(convert_to(to_json(string_to_array(t.commits_before, ','))::text, 'UTF8')), 'hex') else t.commits_before end`;

/** More than one of a name are there only where it is made again and again: the last one is the one that is in the cluster. */
const mostEnds = 10;

/** $1 namespace, $2 name of the Binding, $3 names of GitOpsDeployments. */
export const sightQuestion = `
  select d.name, jsonb_build_object(${sighting('$1', 'd.name')}) as sighting
  from unnest($3::text[]) d (name) ${rendered('$1', '$2')} ${said('$1', 'd.name')}`;

/** $1 namespace, $2 name, $3 UID or null for that of the newest row of the name, $4 application or null. */
export const promotionQuestion = `
  with named as (select * from promotion where namespace = $1 and name = $2 and state <> 'Completed'),
  line as (
    select * from promotion where namespace = $1 and state <> 'Completed'
      and application = coalesce($4, (select application from named order by created_at desc limit 1)))
  select
    (select coalesce(jsonb_agg(${runFields}), '[]') from named p) as named,
    (select coalesce(jsonb_agg(${endFields}), '[]') from (
      select * from promotion where namespace = $1 and name = $2 and state = 'Completed'
      order by created_at desc limit ${mostEnds}) p) as ended,
    (select coalesce(jsonb_agg(${runFields}), '[]') from line p) as open,
    (select coalesce(jsonb_agg(jsonb_build_object(
       'environment', t.environment, 'step', t.step, 'binding', t.binding, 'status', t.status, 'reason', t.reason,
       'message', t.message, 'began', ${ms('t.began_at')}, 'ready', ${ms('t.ready_at')}, 'ended', ${ms('t.ended_at')},
       'extended', ${ms('t.extended_to')},
       'commit', t.commit_id, 'before', ${stoodBefore}, 'snapshotUid', t.snapshot_id,
       'rendering', case when o.id is null then null else jsonb_build_object(
         'snapshot', o.snapshot, 'promotionUid', ${askedBy}, 'generation', o.generation,
         'isRendered', o.rendered_digest is not distinct from o.wanted_digest, 'commit', coalesce(o.commit_id, ''),
         'results', o.results,
         'trouble', case when o.trouble_reason is null then null else jsonb_build_object('reason', o.trouble_reason,
           'message', o.trouble_message, 'since', ${ms('o.trouble_since')}, 'at', ${ms('o.trouble_at')}) end) end,
       'evidence', (
         select coalesce(jsonb_agg(jsonb_build_object('component', e.component, 'deployment', e.deployment,
           'seen', case when e.observed_at is null then null else jsonb_build_object('applicationId', e.application_id,
             'sync', e.sync_status, 'revision', e.revision, 'health', e.health, 'operation', e.operation,
             'observed', ${ms('e.observed_at')}) end,
           ${sighting('e.namespace', 'e.deployment')}
         ) || ${saidLast} order by e.component), '[]')
         from promotion_evidence e ${said('e.namespace', 'e.deployment')}
         where e.promotion_id = t.promotion_id and e.environment = t.environment)
     ) order by t.step, t.environment), '[]')
     from promotion_step t ${rendered('$1', 't.binding')}
     where t.promotion_id = coalesce($3, (select id from named order by created_at desc limit 1))) as steps`;

/** What comes out of it: what is absent is null. */
export interface PromotionAnswer {
  readonly named: readonly RunRow[];
  readonly ended: readonly unknown[];
  readonly open: readonly RunRow[];
  readonly steps: readonly unknown[];
}

interface RunRow extends Omit<StoredRun, 'waiting' | 'started'> {
  readonly started: number | null;
  readonly waiting: {
    readonly reason: string;
    readonly message?: string;
    readonly since?: string;
    readonly until?: string;
  } | null;
}

export function toStoredRun({ waiting, started, ...run }: RunRow): StoredRun {
  return {
    ...run,
    started: started ?? undefined,
    waiting:
      waiting === null
        ? undefined
        : {
            reason: waiting.reason,
            since: Date.parse(waiting.since ?? '') || 0,
            message: waiting.message,
            until: Date.parse(waiting.until ?? '') || undefined,
          },
  };
}

export function toStoredEnd(row: unknown): StoredEnd {
  return withoutNulls(row) as StoredEnd;
}

export function toStoredStep(row: unknown): StoredStep {
  return withoutNulls(row) as StoredStep;
}

export function toSighting(row: unknown): Sighting {
  return withoutNulls(row) as Sighting;
}

/** The rules know absent values only. */
function withoutNulls(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value as object).map(([key, field]) => [key, withoutNulls(field)]));
}
