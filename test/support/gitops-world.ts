import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { installArgoCd } from '../../infra/embedded/argo-cd/install/install-argo-cd.ts';
import { connectInProcess } from '../../infra/embedded/connect-in-process.ts';
import { makeSigningKey } from '../../infra/embedded/kubernetes/auth/signing-key.ts';
import { createApiServer } from '../../infra/embedded/kubernetes/create-api-server.ts';
import { loadFunctions } from '../../infra/host/load-functions.ts';
import { applyCrds, ownCrds, readCrds } from '../../infra/kubernetes/apply-crds.ts';
import { readMap, routesOf } from '../../infra/map.ts';
import { type ClusterConnection, connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import { openCipher } from '../../shared/adapters/postgres/cipher.ts';
import { namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import { inWords, type Subject } from '../../shared/domain/core/subject.ts';
import type { Delivery } from '../../shared/ports/queue.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import type { Machine } from '../../shared/runtime/machine.ts';
import { openWorld } from '../../shared/runtime/open-world.ts';
import type { Outcome } from '../../shared/runtime/outcome.ts';
import type { World } from '../../shared/runtime/world.ts';
import { type AuditedConnection, auditedConnection } from './audited-connection.ts';
import { openTestDatabase } from './database.ts';
import { openRememberingQueue, openTestMachine } from './machine.ts';

const root = new URL('../..', import.meta.url).pathname;
export const argoNamespace = 'argocd';
/** Where HyperShift makes clusters, once a test has installed and plays it. */
export const hostedPlace = { namespace: 'hosted-clusters', pullSecret: 'images' } as const;

/** What a step came to, for tests that look at how a thing was done. */
export interface Ran {
  readonly function: string;
  readonly subject: string;
  readonly outcome: Outcome;
}

interface Settings {
  /** Another API server than one in this process; it must have our CRDs and Argo CD's. */
  readonly connection?: ClusterConnection | undefined;
  /** A machine that fails, dies or lives in another time, made of the usual one. */
  readonly machine?: ((usual: Machine) => Machine) | undefined;
  readonly argoCdNamespaces?: readonly string[] | undefined;
  /** Another client for what functions read of the rows, one that fails for example. */
  readonly sql?: ((usual: Sql) => Sql) | undefined;
  /** Parts of the world that a test plays itself. */
  readonly world?: Partial<World> | undefined;
  /** A place for repositories. */
  readonly git?: Readonly<Record<string, string>> | undefined;
  /** Functions of the map that nobody wakes. */
  readonly without?: readonly string[] | undefined;
}

/**
 * The functions of the map, a database and an API server, without hosts and queues: a write to the cluster becomes knocks
 * as the audit webhook would make them, and `settle` runs steps until nobody is left to wake. Nobody plays Argo CD.
 */
export async function openGitOpsWorld(settings: Settings = {}) {
  const database = await openTestDatabase();
  const { sql } = database;
  const server = settings.connection === undefined ? await startServer() : undefined;
  const bare = settings.connection ?? connectInProcess(server as NonNullable<typeof server>, 'all-powerful');
  if (server !== undefined) {
    await applyCrds(bare, readCrds(ownCrds));
    await installArgoCd(bare, argoNamespace, AbortSignal.timeout(20_000));
  }
  const map = readMap();
  const queue = openRememberingQueue();
  const connection: AuditedConnection = auditedConnection(bare, () => usual);
  const opened = openWorld({
    sql: settings.sql?.(sql) ?? sql,
    cipher: openCipher({ active: 'k1', keys: { k1: randomBytes(32) } }),
    connection,
    argoCdNamespaces: settings.argoCdNamespaces ?? [argoNamespace],
    targetTimeoutMs: 5_000,
    hosted: hostedPlace,
    git: readConfig(['git'], settings.git ?? {}).git,
    now: Date.now,
  });
  const usual: Machine = {
    ...openTestMachine(sql, {
      queue,
      routes: routesOf(map).filter((route) => settings.without?.includes(route.function) !== true),
    }),
    world: { ...opened, ...settings.world },
  };
  const machine = settings.machine?.(usual) ?? usual;
  const { functions, schedules, webhooks } = await loadFunctions(map.functions, root);
  /** Messages that a step put off, and that no test has asked for yet. */
  const delayed: Delivery[] = [];

  async function run({ message, from, pending, attempt }: Delivery): Promise<Ran> {
    const door = functions.get(message.function);
    if (door === undefined) throw new Error(`the map has no function ${message.function}`);
    const event = {
      specversion: '1.0',
      id: message.id,
      source: `/functions/${from}`,
      type: message.type,
      subject: inWords(message.subject),
      time: new Date().toISOString(),
      data: message.subject,
      ...(pending && { pending: 'true' }),
      ...(attempt !== undefined && { attempt }),
    };
    const outcome = await door.handle(event, { receives: 1, covered: 0 }, machine);
    return { function: message.function, subject: inWords(message.subject), outcome };
  }

  /** What was not dealt with is still in the queue. */
  function throwBack(delivery: Delivery, error: unknown): never {
    queue.sent.unshift(delivery);
    throw error;
  }

  const world = {
    sql,
    machine,
    /** What functions stand on. */
    world: machine.world,
    queue,
    /** The same API server, without anybody noticing. */
    bare,
    connection,
    /** The same API server, for somebody with a token of their own. Whoever asks closes it. */
    async connectAs(token: string): Promise<ClusterConnection> {
      if (server !== undefined) return connectInProcess(server, token);
      const certificateAuthority = await bare.certificateAuthority();
      return connectCluster({ server: bare.server, token, certificateAuthority, now: Date.now });
    },
    /** The admin's hands: what they write is noticed. */
    cluster: openCluster({ connection }),
    functions,
    webhooks,
    schedule(name: string) {
      const found = schedules.find(({ entry }) => entry.name === name);
      if (found === undefined) throw new Error(`the map has no schedule ${name}`);
      return found.door.tick(machine);
    },
    delayed,
    /** Runs steps until nobody is left to wake; returns them in order. What was put off waits for `wake`. */
    async settle(most = 2_000): Promise<Ran[]> {
      const ran: Ran[] = [];
      for (;;) {
        const [delivery, ...rest] = queue.sent.splice(0);
        queue.sent.unshift(...rest);
        if (delivery === undefined) return ran;
        if ((delivery.delaySeconds ?? 0) > 0) delayed.push(delivery);
        else ran.push(await run(delivery).catch((error: unknown) => throwBack(delivery, error)));
        if (ran.length > most)
          throw new Error(
            `it does not settle: ${ran
              .slice(-6)
              .map((one) => JSON.stringify(one))
              .join('\n')}`,
          );
      }
    },
    /** Everything that waits for a time has its time now: wake-ups, and what was put off. */
    async wake(): Promise<void> {
      queue.sent.push(...delayed.splice(0).map((delivery) => ({ ...delivery, delaySeconds: 0 })));
      await sql`update wakeup set due_at = clock_timestamp() - interval '1 second'`;
      const due = await machine.upkeep.takeDue(1_000);
      queue.sent.push(...due.map((message) => ({ message, from: 'forward-due', pending: true })));
    },
    /** One knock, as an operator or the drift pass would send it: without a version, so that somebody looks. */
    knock(type: string, subject: Subject): void {
      for (const route of machine.routes.filter(({ consumes }) => consumes.includes(type)))
        queue.sent.push({
          message: {
            id: machine.newId(),
            function: route.function,
            type,
            subject,
            tenant: subject.namespace,
            serialKey: `${route.function}:${inWords(subject)}`,
          },
          from: 'test',
          pending: false,
        });
    },
    /** A fresh API namespace. */
    async namespace(prefix = 'team'): Promise<{ readonly name: string; readonly uid: string }> {
      const name = `${prefix}-${randomBytes(4).toString('hex')}`;
      const { metadata } = await openCluster({ connection: bare }).create(namespaces, { metadata: { name } });
      return { name, uid: metadata.uid };
    },
    async close(): Promise<void> {
      await opened.close();
      await server?.stop();
      await database.close();
    },
  };
  return world;
}

export type GitOpsWorld = Awaited<ReturnType<typeof openGitOpsWorld>>;

function startServer() {
  return createApiServer({
    clock: { now: Date.now, after: (ms, run) => unrefTimer(ms, run) },
    tokens: [{ token: 'all-powerful', user: 'admin', groups: ['system:masters'] }],
    signingKey: makeSigningKey(),
    rootCa: 'none is needed',
    address: () => 'nowhere',
    log: () => {},
  });
}

function unrefTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
}
