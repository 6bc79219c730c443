import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Sql } from 'postgres';
import { readHostConfig } from '../../../infra/host/host-config.ts';
import { loadFunctions } from '../../../infra/host/load-functions.ts';
import { routesOf } from '../../../infra/map.ts';
import { openMachine } from '../../../shared/runtime/services.ts';
import { type Measure, quantile, round } from '../measure.ts';
import { fill } from './fill.ts';
import { type GitOpsBench, openGitOpsBench, skipped } from './open-gitops-bench.ts';
import { scaled, scaleNote } from './scale.ts';
import { writesAtApiServer } from './writes-at-api-server.ts';

const deployments = 10_000;
const tenants = 500;
const passes = 3;
/** A connection of PostgreSQL that has fallen silent tells its counts after ten seconds. */
const toldMs = 11_000;
/** What a pass may write: its place, its report, and the slots of the clock. */
const ownTables = ['drift_pass', 'drift_finding', 'tick'];
/** Of the findings, as many as help to see what they have in common. */
const mostTold = 10;
const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Passed {
  /** Of one pass, the middle of some. */
  readonly ms: number;
  /** As an operator reads them. */
  readonly findings: readonly string[];
  /** By table, and at the API server. */
  readonly written: readonly string[];
}

export const drift10k: Measure = {
  name: 'drift-10k',
  asks: 'How long does a drift pass take for each of 10,000 deployments, where nothing is wrong?',
  async run(tell) {
    const bench = await openGitOpsBench({});
    if (bench === undefined) return skipped('drift-10k', 'ms each');
    try {
      const [few, many] = [scaled(deployments / 4), scaled(deployments)];
      await fill(bench, few, scaled(tenants), tell);
      const small = await passOver(bench, tell);
      await bench.startHost();
      await fill(bench, many, scaled(tenants), tell, few);
      const large = await passOver(bench, tell);

      const [each, eachOfFew] = [large.ms / many, small.ms / few];
      const written = [...small.written, ...large.written];
      const findings = [...small.findings, ...large.findings];
      return {
        name: 'drift-10k',
        unit: 'ms each',
        ours: round(each),
        p99: null,
        floor: null,
        ratio: round(each / eachOfFew),
        target: '< 1, linear',
        // A quarter of the deployments in a quarter of the time, give or take what a run differs by.
        ok: each < 1 && each < 1.3 * eachOfFew && findings.length === 0 && written.length === 0,
        note: `${many} in ${round(large.ms / 1_000)} s; with ${few}, ${round(eachOfFew)} ms each (the ratio is to that); ${findings.length} findings${findings
          .slice(0, mostTold)
          .map((one) => `; ${one}`)
          .join('')}; written: ${written.length === 0 ? 'nothing' : written.join(', ')}${scaleNote()}`,
      };
    } finally {
      await bench.close();
    }
  },
};

/** The passes are this process's own, without a host beside it, so that nobody else writes and nobody takes them away. */
async function passOver(bench: GitOpsBench, tell: (progress: string) => void): Promise<Passed> {
  await bench.quiet();
  await bench.stopHost();
  await pause(toldMs);
  const { map, config } = readHostConfig({ ...bench.environment, LOG_LEVEL: 'error' });
  const { machine, close } = await openMachine(config, routesOf(map));
  try {
    const { schedules } = await loadFunctions(map.functions, root);
    const drift = schedules.find(({ entry }) => entry.name === 'reconcile-drift');
    if (drift === undefined) throw new Error('the map has no schedule reconcile-drift');
    const { driftPasses } = machine.world;
    const [rows, writes] = [await rowsWritten(bench.sql), await writesAtApiServer(bench.connection)];
    const took: number[] = [];
    for (let pass = 1; pass <= passes; pass += 1) {
      tell(`pass ${pass} of ${passes}`);
      await driftPasses.begin('bench');
      const from = performance.now();
      do await drift.door.tick(machine);
      while ((await driftPasses.latest(1))[0]?.endedAt === undefined);
      took.push(performance.now() - from);
    }
    const reports = await driftPasses.latest(passes);
    await pause(toldMs);
    return {
      ms: quantile(took, 0.5),
      findings: reports.flatMap(({ findings }) =>
        findings.map(({ finding, subject, what }) => `${finding} ${subject}: ${what}`),
      ),
      written: [
        ...more(rows, await rowsWritten(bench.sql)),
        ...more(writes, await writesAtApiServer(bench.connection)),
        ...troublesOf(reports),
      ],
    };
  } finally {
    await close();
  }
}

async function rowsWritten(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ name: string; written: number }[]>`
    select relname as name, (n_tup_ins + n_tup_upd + n_tup_del)::float8 as written from pg_stat_user_tables
    where not relname = any (${ownTables}::text[])`;
  return new Map(rows.map(({ name, written }) => [name, written]));
}

function more(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] {
  return [...after].flatMap(([name, count]) => {
    const grown = count - (before.get(name) ?? 0);
    return grown === 0 ? [] : [`${grown} of ${name}`];
  });
}

/** A part that could not look has written nothing, and is no measure. */
function troublesOf(
  reports: readonly {
    readonly state: { readonly parts: Readonly<Record<string, { readonly trouble?: string | undefined }>> };
  }[],
): string[] {
  return reports.flatMap(({ state }) =>
    Object.entries(state.parts).flatMap(([part, { trouble }]) =>
      trouble === undefined ? [] : [`${part}: ${trouble}`],
    ),
  );
}
