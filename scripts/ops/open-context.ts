import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { loadFunctions } from '../../infra/host/load-functions.ts';
import { readMap, routesOf } from '../../infra/map.ts';
import { connect } from '../../shared/adapters/postgres/connect.ts';
import { openEngineRegister } from '../../shared/adapters/postgres/gitops/engine-register.ts';
import { openOperatorLedger } from '../../shared/adapters/postgres/operator-ledger.ts';
import { openPromotionReader } from '../../shared/adapters/postgres/promotions/promotion-reader.ts';
import { openReleaseReader } from '../../shared/adapters/postgres/repositories/release-reader.ts';
import { rotateSecrets } from '../../shared/adapters/postgres/rotate-secrets.ts';
import { openStepReader } from '../../shared/adapters/postgres/step-reader.ts';
import { connectQueue } from '../../shared/adapters/sqs/client.ts';
import { openDeadLetters } from '../../shared/adapters/sqs/dead-letters.ts';
import { openQueue } from '../../shared/adapters/sqs/queue.ts';
import { openQueueUrls } from '../../shared/adapters/sqs/queue-urls.ts';
import { interests } from '../../shared/domain/core/interest.ts';
import { type Config, readConfig } from '../../shared/runtime/config.ts';
import { openConfiguredWorld, openCredentialCipher } from '../../shared/runtime/open-world.ts';
import type { World } from '../../shared/runtime/world.ts';
import type { Context } from './context.ts';
import { Exit, exits } from './exit.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const clock = { now: () => Date.now() };

/** Connections to what the settings name; each is made when it is first needed. */
export function openContext(
  settings: Readonly<Record<string, string | undefined>>,
  { who = systemUser(), approve }: { readonly who?: string | undefined; readonly approve: Context['approve'] },
): { context: Context; close(): Promise<void> } {
  const { database, queues, host }: Config<'database' | 'queues' | 'host'> = readConfig(
    ['database', 'queues', 'host'],
    settings,
  );
  const map = readMap(host.MAP_FILE);
  const sql = connect({
    url: database.DATABASE_URL,
    poolSize: 2,
    statementTimeoutMs: database.DATABASE_STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: database.DATABASE_CONNECT_TIMEOUT_MS,
    applicationName: 'stagecoach-ops',
  });
  const sqs = connectQueue({ endpoint: queues.AWS_ENDPOINT_URL_SQS, region: queues.AWS_REGION });
  const urls = openQueueUrls(sqs, queues.QUEUE_PREFIX);
  const queue = openQueue(sqs, urls, clock);
  let opened: ReturnType<typeof openConfiguredWorld> | undefined;

  function world(): World {
    const keys = settings['CREDENTIAL_KEYS_FILE'] ? readConfig(['credentials'], settings) : {};
    const { git, ...others } = readConfig(['cluster', 'engines', 'spaces', 'hosted', 'git'], settings);
    // The clones are those of the service: whoever only looks makes its own.
    const looking = { ...git, GIT_CACHE_FOLDER: undefined };
    opened ??= openConfiguredWorld({ ...others, git: looking, ...keys }, sql, clock.now);
    return opened.world;
  }

  return {
    context: {
      reader: openStepReader(sql),
      ledger: openOperatorLedger(sql),
      releases: openReleaseReader(sql),
      promotions: openPromotionReader(sql),
      deadLetters: openDeadLetters(sqs, urls),
      queue,
      map,
      routes: routesOf(map),
      interests,
      world,
      async functionOf(name) {
        const entries = map.functions.filter((entry) => entry.name === name);
        const door = (await loadFunctions(entries, root)).functions.get(name);
        if (door === undefined) throw new Exit(exits.failed, `${name} takes no steps: there is nothing to rehearse.`);
        return door;
      },
      engines: openEngineRegister(sql, () => openCredentialCipher(readConfig(['credentials'], settings).credentials)),
      async rotateCredentials() {
        const { credentials } = readConfig(['credentials'], settings);
        return rotateSecrets(sql, openCredentialCipher(credentials));
      },
      now: clock.now,
      newId: randomUUID,
      who,
      approve,
    },
    async close() {
      await queue.idle();
      sqs.destroy();
      await opened?.close();
      await sql.end({ timeout: 2 });
    },
  };
}

/** A container may run under a number that has no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
