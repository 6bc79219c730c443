import type { Sql } from 'postgres';
import { mostCandidates } from '../../../domain/claim/choose-target.ts';
import { type Amounts, billionthsOf, type Resources } from '../../../domain/core/quantity.ts';
import { isBindable } from '../../../domain/target/is-bindable.ts';
import type { AroundClaim, AroundTarget, ClaimRows } from '../../../ports/claim-rows.ts';
import { asJson, asParameter } from '../keepable.ts';
import { sqlWrite } from '../row-write.ts';
import { asked } from '../translate.ts';

/** More than one, because the first may have found another target, or be gone, when it is woken. */
const fewClaims = 5;

/** Whoever names a target is told what becomes of it; a crowd looks again by itself. */
const manyClaims = 50;

const environments = `(select coalesce(jsonb_agg(e.name order by e.name), '[]') from environment_use e
  where e.namespace = $1 and e.claim_name = $2) as environments`;

const reserved = `(select coalesce(jsonb_agg(t.name order by t.name), '[]') from deployment_target t
  where t.namespace = $1 and t.claim_name = $2) as reserved`;

const aroundClaim = `select ${reserved}, ${environments},
  (select coalesce(jsonb_agg(jsonb_build_object('name', c.name, 'version', c.version::text)), '[]') from (
    select t.name, t.version from deployment_target t
    where t.namespace = $1 and t.class_name = $3 and t.free and ($4 = '' or t.arch = $4)
      and t.requests_cpu >= $5 and t.requests_memory >= $6 and t.limits_cpu >= $7 and t.limits_memory >= $8
      and ${coversOthers('t.other_amounts', '$9::text::jsonb')}
    order by t.requests_cpu, t.requests_memory, t.limits_cpu, t.limits_memory, t.created_at, t.name
    limit ${mostCandidates}) c) as candidates`;

const byAge = 'order by w.created_at, w.name limit';

// A target that is taken may have been the chance of many: those that another would do for are woken a few at a time.
const aroundTarget = `with known as (
    select t.id, t.version, t.claim_name from deployment_target t
    where t.namespace = $1 and t.name = $2 order by t.version desc limit 1)
  select
    (select jsonb_build_object('uid', k.id, 'version', k.version::text, 'claimName', k.claim_name) from known k) as known,
    (select coalesce(jsonb_agg(c.name), '[]') from (
      (select w.name from waiting_claim w
        where w.namespace = $1 and w.target_name = $2 and w.target_name <> '' ${byAge} ${manyClaims})
      union all
      (select w.name from waiting_claim w
        where $11 and w.namespace = $1 and w.class_name = $4 and w.target_name = '' and (w.arch = '' or w.arch = $5)
          and w.requests_cpu <= $6 and w.requests_memory <= $7 and w.limits_cpu <= $8 and w.limits_memory <= $9
          and ${coversOthers('$10::text::jsonb', 'w.other_amounts')} ${byAge} ${fewClaims})
      union all
      (select w.name from waiting_claim w
        where $3 <> '' and w.namespace = $1 and w.class_name = $4 and w.target_name = ''
          and exists (select from deployment_target t where t.namespace = $1 and t.class_name = $4 and t.free)
          and exists (select from deployment_target t
            where t.namespace = $1 and t.class_name = $4 and t.free and (w.arch = '' or w.arch = t.arch)
              and t.requests_cpu >= w.requests_cpu and t.requests_memory >= w.requests_memory
              and t.limits_cpu >= w.limits_cpu and t.limits_memory >= w.limits_memory
              and ${coversOthers('t.other_amounts', 'w.other_amounts')}) ${byAge} ${fewClaims})) c) as waiting,
    (select coalesce(jsonb_agg(e.name order by e.name), '[]') from environment_use e
      where e.namespace = $1 and e.claim_name in ($3, (select k.claim_name from known k))) as environments`;

interface Known {
  readonly uid: string;
  readonly version: string;
  readonly claimName: string | null;
}

export function openClaimRows(sql: Sql): ClaimRows {
  return {
    observeClaim({ namespace, name, className, arch, resources }) {
      return asked('read', async () => {
        const [row] = await sql.unsafe<AroundClaim[]>(
          aroundClaim,
          [namespace, name, className, arch, ...amountsOf(resources)].map(asParameter),
          { prepare: true },
        );
        return row ?? { reserved: [], environments: [], candidates: [] };
      });
    },

    observeGoneClaim({ namespace, name }) {
      return asked('read', async () => {
        const [row] = await sql.unsafe<AroundClaim[]>(`select ${reserved}, ${environments}`, [namespace, name], {
          prepare: true,
        });
        return row ?? { reserved: [], environments: [] };
      });
    },

    observeTarget({ namespace, name }, target) {
      return asked('read', async () => {
        const [row] = await sql.unsafe<(Omit<AroundTarget, 'known'> & { known: Known | null })[]>(
          aroundTarget,
          [
            namespace,
            name,
            target?.claim?.name ?? '',
            target?.className ?? '',
            target?.arch ?? '',
            ...amountsOf(target?.resources),
            target !== undefined && isBindable(target),
          ].map(asParameter),
          { prepare: true },
        );
        const { known = null, waiting = [], environments: users = [] } = row ?? {};
        return {
          known: known === null ? undefined : { ...known, claimName: known.claimName ?? undefined },
          waiting: [...new Set(waiting)],
          environments: users,
        };
      });
    },

    rememberTarget(target) {
      const { uid, namespace, name, version, created, className, arch, claim, resources } = target;
      return sqlWrite(
        `insert into deployment_target as t (id, namespace, name, version, created_at, class_name, arch, claim_name,
           claim_uid, free, requests_cpu, requests_memory, limits_cpu, limits_memory, other_amounts)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::text::jsonb)
         on conflict (id) do update set version = excluded.version, class_name = excluded.class_name,
           arch = excluded.arch, claim_name = excluded.claim_name, claim_uid = excluded.claim_uid, free = excluded.free,
           requests_cpu = excluded.requests_cpu, requests_memory = excluded.requests_memory,
           limits_cpu = excluded.limits_cpu, limits_memory = excluded.limits_memory,
           other_amounts = excluded.other_amounts
         where t.version < excluded.version`,
        [
          uid,
          namespace,
          name,
          version,
          new Date(created).toISOString(),
          className,
          arch,
          claim?.name ?? null,
          claim?.uid ?? null,
          isBindable(target),
          ...amountsOf(resources),
        ],
      );
    },

    claimTarget: (uid, claim) =>
      sqlWrite(
        `update deployment_target set claim_name = $2, claim_uid = $3, free = false
         where id = $1 and (claim_name, claim_uid, free) is distinct from ($2, $3, false)`,
        [uid, claim.name, claim.uid],
      ),

    forgetTarget: (uid) => sqlWrite('delete from deployment_target where id = $1', [uid]),

    rememberWaiting: ({ uid, namespace, name, created, className, targetName, arch, resources }) =>
      sqlWrite(
        `insert into waiting_claim as w (id, namespace, name, created_at, class_name, target_name, arch, requests_cpu,
           requests_memory, limits_cpu, limits_memory, other_amounts)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::text::jsonb)
         on conflict (id) do update set class_name = excluded.class_name, target_name = excluded.target_name,
           arch = excluded.arch, requests_cpu = excluded.requests_cpu, requests_memory = excluded.requests_memory,
           limits_cpu = excluded.limits_cpu, limits_memory = excluded.limits_memory,
           other_amounts = excluded.other_amounts
         where (w.class_name, w.target_name, w.arch, w.requests_cpu, w.requests_memory, w.limits_cpu, w.limits_memory,
           w.other_amounts) is distinct from (excluded.class_name, excluded.target_name, excluded.arch,
           excluded.requests_cpu, excluded.requests_memory, excluded.limits_cpu, excluded.limits_memory,
           excluded.other_amounts)`,
        [uid, namespace, name, new Date(created).toISOString(), className, targetName, arch, ...amountsOf(resources)],
      ),

    forgetWaiting: ({ namespace, name }) =>
      sqlWrite('delete from waiting_claim where namespace = $1 and name = $2', [namespace, name]),
  };
}

/** CPU and memory have columns of their own, in this order; the rest stands in one, by name. */
function amountsOf(resources: Resources | undefined): string[] {
  const { requests, limits } = resources ?? {};
  const others = { ...othersOf('requests', requests), ...othersOf('limits', limits) };
  return [
    ...[requests?.['cpu'], requests?.['memory'], limits?.['cpu'], limits?.['memory']].map((amount) =>
      String(billionthsOf(amount)),
    ),
    asJson(others),
  ];
}

function othersOf(kind: string, amounts: Amounts = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(amounts)
      .filter(([name]) => name !== 'cpu' && name !== 'memory')
      .map(([name, amount]) => [`${kind} ${name}`, String(billionthsOf(amount))]),
  );
}

/** The comparison of `offers`, for the amounts that have no columns. */
function coversOthers(offered: string, wanted: string): string {
  return `(${wanted} = '{}' or not exists (select from jsonb_each_text(${wanted}) a
    where coalesce((${offered} ->> a.key)::numeric, 0) < a.value::numeric))`;
}
