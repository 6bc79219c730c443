/** npm run setup: brings the configured database and queues up to what the code and the map need. */

import { readMap, routesOf, type ServiceMap } from '../infra/map.ts';
import { ensureQueues } from '../infra/queues.ts';
import { connect } from '../shared/adapters/postgres/connect.ts';
import { migrate } from '../shared/adapters/postgres/migrate.ts';
import { connectQueue } from '../shared/adapters/sqs/client.ts';
import { type Config, readConfig } from '../shared/runtime/config.ts';

/** Applies the migrations and makes the queues; returns what is there now. Harmless to repeat, from several hosts at once too. */
export async function setUp(
  { database, queues }: Config<'database' | 'queues'>,
  map: ServiceMap,
): Promise<{ migrations: string[]; queues: string[] }> {
  const sql = connect({
    url: database.DATABASE_URL,
    poolSize: 1,
    statementTimeoutMs: 120_000,
    connectTimeoutMs: 10_000,
    applicationName: 'stagecoach-setup',
  });
  const sqs = connectQueue({ endpoint: queues.AWS_ENDPOINT_URL_SQS, region: queues.AWS_REGION });
  try {
    const [migrations, made] = await Promise.all([migrate(sql), ensureQueues(sqs, queues.QUEUE_PREFIX, routesOf(map))]);
    await sql`select keep_partitions('step_log', 100000, 7), keep_partitions('ledger', 100000, 7)`;
    return { migrations, queues: made };
  } finally {
    sqs.destroy();
    await sql.end({ timeout: 5 });
  }
}

if (import.meta.main) {
  try {
    const config = readConfig(['database', 'queues', 'host']);
    const done = await setUp(config, readMap(config.host.MAP_FILE));
    console.log(`${done.migrations.length} migrations applied, ${done.queues.length} queues in place`);
  } catch (error) {
    console.error(`Nothing is set up: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
