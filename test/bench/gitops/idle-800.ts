import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { type Measure, round } from '../measure.ts';
import { fill } from './fill.ts';
import { type GitOpsBench, openGitOpsBench, skipped } from './open-gitops-bench.ts';
import { findProcess, processorSeconds } from './processor-time.ts';
import { scaled, scaleNote } from './scale.ts';
import { setServer } from './set-server.ts';
import { openStatementCount } from './statement-count.ts';
import { databaseNow, stepTimes } from './step-times.ts';

const deployments = 800;
const tenants = 100;
const idleSeconds = 60;
const countedSeconds = 20;
/** A connection of PostgreSQL that has fallen silent tells its counts after ten seconds. */
const toldSeconds = 15;

export const idle800: Measure = {
  name: 'idle-800',
  asks: 'What do 800 settled deployments cost while nothing happens?',
  async run(tell) {
    const bench = await openGitOpsBench({});
    if (bench === undefined) return skipped('idle-800', '% core');
    try {
      await fill(bench, scaled(deployments), scaled(tenants), tell);
      await bench.quiet();
      // Nobody but the host watches.
      bench.ours.stop();
      const apiServer = findProcess('kube-apiserver', `--secure-port=${new URL(bench.connection.server).port}`);
      const seconds = scaled(idleSeconds);
      // It cleans up after the filling, in transactions that are none of ours.
      await setServer(bench.sql, 'autovacuum', 'off');
      const since = await databaseNow(bench.sql);
      await pause(toldSeconds * 1_000);
      tell(`${seconds} s of nothing`);
      const before = await look(bench, apiServer);
      await pause(seconds * 1_000);
      const after = await look(bench, apiServer);
      const perSecond = (key: keyof typeof after): number => (after[key] - before[key]) / (after.at - before.at);
      // The look itself is one, and it is counted by the next look.
      const transactions = perSecond('transactions') - 1 / seconds;
      const cores = 100 * perSecond('host');
      const steps = await stepTimes(bench.sql, since);
      tell('which statements');
      const statements = await statementsPerSecond(bench.sql);
      return {
        name: 'idle-800',
        unit: '% core',
        ours: round(cores),
        p99: null,
        floor: null,
        ratio: null,
        target: '< 1, < 1 SQL/s',
        ok: cores < 1 && transactions < 1,
        note: `${round(transactions)} SQL transactions/s without PostgreSQL's own clean-up; the API server ${round(100 * perSecond('apiServer'))} % of a core; ${statements}${scaleNote()}`,
        steps,
      };
    } finally {
      await bench.close();
    }
  },
};

async function look({ sql, hostPid }: GitOpsBench, apiServer: number) {
  const [row] = await sql<[{ transactions: number }]>`
    select (xact_commit + xact_rollback)::float8 as transactions from pg_stat_database where datname = current_database()`;
  return {
    at: performance.now() / 1_000,
    transactions: row.transactions,
    host: processorSeconds(hostPid()),
    apiServer: processorSeconds(apiServer),
  };
}

/** By name, after the measure: the log that tells them costs something itself. */
async function statementsPerSecond(sql: Sql): Promise<string> {
  const count = await openStatementCount(sql);
  await pause(countedSeconds * 1_000);
  const counts = await count.end();
  if (counts.length === 0) return 'no statements in the log';
  return counts.map(([statement, times]) => `${round(times / countedSeconds)}/s ${statement}`).join(', ');
}
