import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { type PassState, restorePass } from '../../../domain/upkeep/pass.ts';
import type { DriftKnock, DriftPasses, PassReport, ReportedFinding } from '../../../ports/drift-passes.ts';
import { asJson } from '../keepable.ts';
import { asked } from '../translate.ts';

/** How long a text of the report may be; a name in it may be of any length. */
const longest = 1_000;

export function openDriftPasses(sql: Sql): DriftPasses {
  return {
    take: ({ holder, seconds, intervalMinutes }) =>
      asked('write', async () => {
        await beginIfDue(sql, intervalMinutes);
        const [row] = await sql<{ id: string; parts: Partial<PassState> }[]>`
          update drift_pass set holder = ${holder}, held_until = clock_timestamp() + make_interval(secs => ${seconds})
          where ended_at is null and (held_until is null or held_until < clock_timestamp())
          returning id, parts`;
        return row === undefined ? undefined : { id: Number(row.id), state: restorePass(row.parts) };
      }),

    begin: (askedBy) =>
      asked('write', async () => {
        const { count } = await sql`insert into drift_pass (asked_by) values (${askedBy}) on conflict do nothing`;
        return count === 1;
      }),

    isDue: (pass, part, everySeconds) =>
      asked('read', async () => {
        const [row] = await sql<[{ due: boolean }?]>`
          select p.asked_by is not null or not exists (
            select from drift_pass b where b.id < p.id
              and b.began_at > clock_timestamp() - make_interval(secs => ${everySeconds})
              and b.parts->'parts'->${part}->'done' = 'true' and b.parts->'parts'->${part}->'skipped' is null) as due
          from drift_pass p where p.id = ${pass}`;
        return row?.due ?? false;
      }),

    report: (pass, part, findings) =>
      asked('write', async () => {
        if (findings.length === 0) return;
        const rows = findings.map(({ kind, subject, what, knock, operation }) => ({
          finding: kind,
          subject: `${subject.namespace}/${subject.name}`,
          what: what.slice(0, longest),
          knock_type: knock?.type,
          knock_subject: knock?.subject,
          operation: operation === undefined ? undefined : { id: randomUUID(), ...operation },
        }));
        // Like shared/adapters/postgres/gitops/request-operation.ts, for many: the owner is empty, because nobody asked.
        await sql`
          with found as (
            select * from jsonb_to_recordset(${asJson(rows)}::text::jsonb)
              as f (finding text, subject text, what text, knock_type text, knock_subject jsonb, operation jsonb)),
          fresh as (
            insert into drift_finding (pass, finding, subject, part, what, knock_type, knock_subject)
            select distinct on (finding, subject) ${pass}::bigint, finding, subject, ${part}, what, knock_type, knock_subject
            from found on conflict do nothing returning finding, subject)
          insert into operation (id, instance_id, resource_id, resource_type)
          select distinct on (f.operation->>'resourceId', f.operation->>'type')
            f.operation->>'id', f.operation->>'instanceId', f.operation->>'resourceId', f.operation->>'type'
          from found f join fresh using (finding, subject)
          where f.operation is not null and not exists (
            select from operation o where o.resource_id = f.operation->>'resourceId' and o.resource_type = f.operation->>'type'
              and o.instance_id = f.operation->>'instanceId' and o.state = 'Waiting' and o.owner_user_id is null)`;
      }),

    unsent: (pass, most) =>
      asked('read', async () => {
        const rows = await sql<{ finding: string; about: string; type: string; subject: DriftKnock['subject'] }[]>`
          select finding, subject as about, knock_type as type, knock_subject as subject from drift_finding
          where pass = ${pass} and knocked_at is null and knock_type is not null order by found_at limit ${most}`;
        return [...rows];
      }),

    sent: (pass, knocks) =>
      asked('write', async () => {
        if (knocks.length === 0) return;
        await sql`
          update drift_finding f set knocked_at = clock_timestamp()
          from unnest(${knocks.map(({ finding }) => finding)}::text[], ${knocks.map(({ about }) => about)}::text[]) as k (finding, subject)
          where f.pass = ${pass} and f.finding = k.finding and f.subject = k.subject`;
      }),

    give: ({ id, state }, { holder, over, seconds }) =>
      asked('write', async () => {
        const { count } = await sql`
          update drift_pass set holder = null, held_until = null, parts = ${asJson(state)}::text::jsonb,
            worked_seconds = worked_seconds + ${seconds}, ended_at = case when ${over} then clock_timestamp() end
          where id = ${id} and holder = ${holder}`;
        return count === 1;
      }),

    latest: (most) => asked('read', () => readReports(sql, most)),
  };
}

async function beginIfDue(sql: Sql, intervalMinutes: number): Promise<void> {
  if (intervalMinutes === 0) return;
  // A read first: a tick that finds nothing to do writes nothing.
  const [row] = await sql<[{ due: boolean }]>`
    select not exists (select from drift_pass where ended_at is null
      or began_at > clock_timestamp() - make_interval(mins => ${intervalMinutes})) as due`;
  if (row.due) await sql`insert into drift_pass default values on conflict do nothing`;
}

interface PassRow {
  readonly id: string;
  readonly began_at: Date;
  readonly ended_at: Date | null;
  readonly asked_by: string | null;
  readonly worked_seconds: number;
  readonly parts: Partial<PassState>;
}

interface FindingRow {
  readonly pass: string;
  readonly finding: string;
  readonly part: string;
  readonly subject: string;
  readonly what: string;
  readonly found_at: Date;
  readonly knock_type: string | null;
  readonly knock_subject: DriftKnock['subject'] | null;
  readonly knocked_at: Date | null;
}

async function readReports(sql: Sql, most: number): Promise<readonly PassReport[]> {
  const passes = await sql<PassRow[]>`
    select id, began_at, ended_at, asked_by, worked_seconds, parts from drift_pass order by id desc limit ${most}`;
  const findings = await sql<FindingRow[]>`
    select pass, finding, part, subject, what, found_at, knock_type, knock_subject, knocked_at from drift_finding
    where pass = any (${passes.map(({ id }) => id)}::bigint[]) order by pass, finding, subject`;
  return passes.map((row) => ({
    id: Number(row.id),
    beganAt: row.began_at.toISOString(),
    endedAt: row.ended_at?.toISOString(),
    askedBy: row.asked_by ?? undefined,
    workedSeconds: row.worked_seconds,
    state: restorePass(row.parts),
    findings: findings.filter(({ pass }) => pass === row.id).map(toFinding),
  }));
}

function toFinding(row: FindingRow): ReportedFinding {
  return {
    finding: row.finding,
    part: row.part,
    subject: row.subject,
    what: row.what,
    foundAt: row.found_at.toISOString(),
    knockType: row.knock_type ?? undefined,
    knockSubject: row.knock_subject === null ? undefined : `${row.knock_subject.namespace}/${row.knock_subject.name}`,
    knockedAt: row.knocked_at?.toISOString(),
  };
}
