import { readFileSync } from 'node:fs';
import type { Config } from '../../shared/runtime/config.ts';
import { type Machine, standUp } from '../../shared/runtime/machine.ts';
import { openMachine } from '../../shared/runtime/services.ts';
import { routesOf, type ServiceMap } from '../map.ts';
import { startDispatcher } from './dispatch/dispatcher.ts';
import { startFront } from './front.ts';
import { answerHealth, type Check, overdueCheck } from './health.ts';
import { loadFunctions } from './load-functions.ts';
import { startTicking } from './tick.ts';
import { startWatching } from './watching.ts';

export interface HostSettings {
  readonly map: ServiceMap;
  /** The folder that the handlers of the map are relative to. */
  readonly root: string;
  readonly config: Config<
    'database' | 'queues' | 'steps' | 'webhooks' | 'host' | 'cluster' | 'engines' | 'retention' | 'telemetry'
  > &
    Partial<Config<'credentials' | 'console'>>;
}

export interface Host {
  readonly url: string;
  readonly functions: readonly string[];
  checks(): Promise<readonly Check[]>;
  /** Stops taking work, waits for what runs, closes everything. */
  drain(): Promise<void>;
}

/** The process that serves every function: HTTP in front, queues behind, schedules and watches beside. */
export async function startHost({ map, root, config }: HostSettings): Promise<Host> {
  const { host } = config;
  const standing = await openMachine(config, routesOf(map));
  const { sqs, urls, connection, recent } = standing;
  // What one function decides, the next one of this process gets at once.
  const draining = new AbortController();
  const machine: Machine = {
    ...standing.machine,
    draining: draining.signal,
    handOver: (messages) => dispatcher.take(messages),
  };
  standUp(machine);
  const { functions, webhooks, schedules } = await loadFunctions(map.functions, root);
  const dispatcher = startDispatcher({
    machine,
    functions,
    sqs,
    urls,
    limits: {
      atOnce: host.STEPS_AT_ONCE,
      atOncePerTenant: host.STEPS_AT_ONCE_PER_TENANT,
      heldPerTenant: host.HELD_PER_TENANT,
    },
    visibilitySeconds: host.VISIBILITY_SECONDS,
  });
  const ticking = startTicking(schedules, machine);
  const limitMs = host.OVERDUE_SECONDS * 1_000;

  async function checks(): Promise<readonly Check[]> {
    return [
      ...dispatcher.silence().map(({ function: name, ms }) => overdueCheck(`queue ${name}`, ms, limitMs)),
      ...ticking
        .state()
        .map(({ schedule, tickedAt, intervalMs }) =>
          overdueCheck(`schedule ${schedule}`, machine.clock.now() - tickedAt, intervalMs + limitMs),
        ),
      ...watching.checks(limitMs),
      await dueCheck(),
    ];
  }

  async function dueCheck(): Promise<Check> {
    try {
      return overdueCheck('due work', (await machine.upkeep.overdueSeconds()) * 1_000, limitMs);
    } catch (error) {
      return { part: 'database', ok: false, says: String(error) };
    }
  }

  const front = await startFront({
    machine,
    functions: map.functions.map(({ name }) => name),
    pages: new Map(map.functions.flatMap(({ name, page }) => (page === undefined ? [] : [[page, name]]))),
    health: async () => answerHealth(await checks()),
    host: host.HOST,
    port: host.PORT,
    tls: readTls(host),
  });
  const watching = startWatching({ connection, recent, machine, forwardEvent: webhooks.get('forward-event') });
  // What was deleted while nobody followed the cluster leaves no event: a pass over everything finds it.
  if (connection !== undefined && schedules.some(({ entry }) => entry.name === 'reconcile-drift'))
    void machine.world.driftPasses
      .begin('host start')
      .catch((error: unknown) => machine.log.warn('no drift pass at the start', { error: String(error) }));
  machine.log.info('host is up', { url: front.url, count: map.functions.length });

  return {
    url: front.url,
    functions: map.functions.map(({ name }) => name),
    checks,
    async drain() {
      machine.log.info('host drains', { url: front.url });
      ticking.stop();
      await watching.stop();
      draining.abort();
      await front.close(host.DRAIN_SECONDS * 1_000);
      await dispatcher.drain(host.DRAIN_SECONDS);
      await standing.close();
      machine.log.info('host is down', { url: front.url });
    },
  };
}

function readTls(host: Config<'host'>['host']) {
  if (host.TLS_CERT_FILE === undefined || host.TLS_KEY_FILE === undefined) return undefined;
  return {
    cert: readFileSync(host.TLS_CERT_FILE),
    key: readFileSync(host.TLS_KEY_FILE),
    clientCa: host.TLS_CLIENT_CA_FILE === undefined ? undefined : readFileSync(host.TLS_CLIENT_CA_FILE),
  };
}
