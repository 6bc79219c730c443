import type { ToldPromotion } from '../../../ports/promotion-reader.ts';

/** A moment as the ports write it, from within JSON. */
export const moment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Of several rows of one name the last is the one that is there. */
const said = `
  select st.sync_status, st.health, st.revision, st.operation, st.trouble
  from deployment_to_application_mapping m join application_state st on st.application_id = m.application_id
  where m.namespace = e.namespace and m.name = e.deployment order by m.seq_id desc limit 1`;

/** What was said last of a step that failed is no evidence. */
const ifSeen = (column: string): string => `case when e.observed_at is null then '' else ${column} end`;

const evidence = `
  select json_agg(json_build_object('component', e.component, 'deployment', e.deployment, 'revision', ${ifSeen('e.revision')},
    'sync', ${ifSeen('e.sync_status')}, 'health', ${ifSeen('e.health')}, 'operation', ${ifSeen('e.operation')},
    'observedAt', ${moment('e.observed_at')},
    'now', case
      when s.sync_status is not null then json_build_object('revision', s.revision, 'sync', s.sync_status, 'health', s.health,
        'operation', s.operation, 'trouble', s.trouble)
      when e.observed_at is null and e.sync_status <> '' then json_build_object('revision', e.revision, 'sync', e.sync_status,
        'health', e.health, 'operation', e.operation, 'trouble', '') end) order by e.component)
  from promotion_evidence e
  left join lateral (${said}) s on t.status = 'in-progress' and e.observed_at is null
  where e.promotion_id = t.promotion_id and e.environment = t.environment`;

const steps = `
  select json_agg(json_build_object('environment', t.environment, 'step', t.step, 'binding', t.binding, 'status', t.status,
    'reason', t.reason, 'message', t.message, 'beganAt', ${moment('t.began_at')}, 'readyAt', ${moment('t.ready_at')},
    'endedAt', ${moment('t.ended_at')}, 'extendedTo', ${moment('t.extended_to')}, 'commit', t.commit_id,
    'evidence', coalesce((${evidence}), '[]'))
    order by t.step, t.environment)
  from promotion_step t where t.promotion_id = p.id`;

/** Rows of `promotion p`, each with its way. */
export const promotionColumns = `p.id, p.namespace, p.name, p.application, p.snapshot, p.automated as "isAutomated",
  p.begins_in as "beginsIn", p.cause, p.state, p.result, p.reason, p.message, p.waiting,
  ${moment('p.created_at')} as "createdAt", ${moment('p.started_at')} as "startedAt", ${moment('p.completed_at')} as "completedAt",
  coalesce((${steps}), '[]') as steps`;

/** What is absent is absent, and not null. */
export function toldPromotion(row: unknown): ToldPromotion {
  return withoutNulls(row) as ToldPromotion;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const there = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(there.map(([key, field]) => [key, withoutNulls(field)]));
}
