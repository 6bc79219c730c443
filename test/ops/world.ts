import { fileURLToPath } from 'node:url';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { readMap, routesOf } from '../../infra/map.ts';
import type { Context } from '../../scripts/ops/context.ts';
import { runDeadList } from '../../scripts/ops/dead-list.ts';
import { openContext } from '../../scripts/ops/open-context.ts';
import type { Paint } from '../../scripts/ops/paint.ts';
import { setUp } from '../../scripts/setup.ts';
import { openDeadLetters } from '../../shared/adapters/sqs/dead-letters.ts';
import { deadLettersOf } from '../../shared/adapters/sqs/queue.ts';
import { toEvent } from '../../shared/adapters/sqs/wire.ts';
import { openLogger } from '../../shared/adapters/telemetry/logger.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import type { StagecoachFunction } from '../../shared/runtime/define-function.ts';
import { knockFor } from '../../shared/runtime/knock.ts';
import type { Machine } from '../../shared/runtime/machine.ts';
import { openMachine, systemClock } from '../../shared/runtime/services.ts';
import { openTestDatabase } from '../support/database.ts';
import { errandTables, theErrandStore } from '../support/errands/errand-store.ts';
import { reportErrand } from '../support/errands/report-errand.ts';
import { runErrand } from '../support/errands/run-errand.ts';
import { openEmbeddedQueue } from '../support/queue-endpoints.ts';

const doors: readonly StagecoachFunction[] = [runErrand, reportErrand];
const mapFile = fileURLToPath(new URL('../support/errands/serverless.yml', import.meta.url));

/** Paint that leaves texts as they are. */
export const plain: Paint = {
  bold: (text) => text,
  dim: (text) => text,
  good: (text) => text,
  bad: (text) => text,
  wait: (text) => text,
};

/** A database and a queue with the errands of the test tree, and the operator's context on them. */
export async function openWorld() {
  const database = await openTestDatabase();
  await database.sql.unsafe(errandTables);
  const server = await openEmbeddedQueue();
  const settings = {
    DATABASE_URL: database.url,
    AWS_ENDPOINT_URL_SQS: server.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    MAP_FILE: mapFile,
  };
  // The errands' own store and the SDK's credentials are read from there.
  Object.assign(process.env, settings);
  const config = readConfig(
    ['database', 'queues', 'steps', 'webhooks', 'cluster', 'engines', 'retention', 'telemetry'],
    settings,
  );
  const map = readMap(mapFile);
  await setUp(config, map);
  const standing = await openMachine(config, routesOf(map));
  const log = openLogger({ level: 'error', write: () => {}, clock: systemClock });
  const machine: Machine = { ...standing.machine, log };
  const plans: string[] = [];
  const { context, close } = openContext(settings, {
    who: 'olga',
    approve: async (plan) => {
      plans.push(plan);
    },
  });

  async function receive(queue: string): Promise<Message | undefined> {
    const QueueUrl = await standing.urls.of(queue);
    const { Messages = [] } = await server.client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      }),
    );
    return Messages[0];
  }

  /** As the dispatcher does it: a step for a message, off the queue when it is done, back when it was a defect. */
  async function step(door: StagecoachFunction, message: Message): Promise<void> {
    const QueueUrl = await standing.urls.of(door.name);
    const { ReceiptHandle, Attributes } = message;
    const receives = Number(Attributes?.ApproximateReceiveCount);
    try {
      await door.handle(toEvent(message) ?? message.Body, { receives, covered: 0 }, machine);
      await server.client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    } catch {
      await server.client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    }
  }

  return {
    settings,
    sql: database.sql,
    machine,
    // The embedded queue is one server: an empty answer means what it says, at once.
    context: { ...context, deadLetters: openDeadLetters(server.client, standing.urls, { waitSeconds: 0 }) } as Context,
    /** What the operator was asked to agree to. */
    plans,

    async sendRaw(functionName: string, MessageBody: string): Promise<string> {
      const QueueUrl = await standing.urls.of(functionName);
      const { MessageId = '' } = await server.client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
      return MessageId;
    },

    /** Somebody changed a claim. */
    async change(namespace: string, name: string, version: string): Promise<void> {
      const change = { group: 'appstudio.redhat.com', kind: 'DeploymentTargetClaim', namespace, name, version };
      await knockFor([change], 'forward-event', undefined, machine);
    },

    /** A defect dies of its last receive, and two messages of not being readable. */
    async someDie(): Promise<void> {
      await this.change('team-b', 'breaks-cart', '3');
      await this.sendRaw('run-errand', 'hello, token=s3cr3t-value');
      const odd = { specversion: '1.0', id: 'odd', type: 'claim.changed.v1', strange: true };
      await this.sendRaw('run-errand', JSON.stringify(odd));
      await this.settle();
    },

    /** Nothing in the queues any more, dead or alive. */
    async clear(): Promise<void> {
      for (const queue of doors.flatMap(({ name }) => [name, deadLettersOf(name)])) {
        const QueueUrl = await standing.urls.of(queue);
        for (let one = await receive(queue); one !== undefined; one = await receive(queue)) {
          await server.client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: one.ReceiptHandle }));
        }
      }
    },

    /** Runs the functions until their queues are empty. */
    async settle(): Promise<void> {
      for (let busy = true; busy; ) {
        busy = false;
        for (const door of doors) {
          for (let message = await receive(door.name); message !== undefined; message = await receive(door.name)) {
            busy = true;
            await step(door, message);
          }
        }
      }
    },

    /** Takes a message into one's hands; the returned call gives it back. */
    async hold(queue: string): Promise<() => Promise<unknown>> {
      const QueueUrl = await standing.urls.of(queue);
      const { ReceiptHandle } = (await receive(queue)) ?? {};
      return () =>
        server.client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    },

    /** What is in a queue, seen and put back. */
    async peek(queue: string): Promise<readonly Record<string, unknown>[]> {
      const QueueUrl = await standing.urls.of(queue);
      const held: Message[] = [];
      for (let one = await receive(queue); one !== undefined; one = await receive(queue)) held.push(one);
      for (const { ReceiptHandle } of held) {
        await server.client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
      }
      return held.map((message) => toEvent(message) ?? { unreadable: message.Body });
    },

    /** How many rows every table has, and how many messages every queue: what must not move when nothing is written. */
    async census(): Promise<Record<string, number>> {
      const tables = await database.sql<{ name: string }[]>`
        select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`;
      const counts: Record<string, number> = {};
      for (const { name } of tables) {
        const [row] = await database.sql.unsafe<[{ count: number }]>(
          `select count(*)::integer as count from "${name}"`,
        );
        counts[name] = row.count;
      }
      for (const queue of doors.flatMap(({ name }) => [name, deadLettersOf(name)])) {
        const QueueUrl = await standing.urls.of(queue);
        const { Attributes = {} } = await server.client.send(
          new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
        );
        counts[`${queue} visible`] = Number(Attributes['ApproximateNumberOfMessages']);
        counts[`${queue} held`] = Number(Attributes['ApproximateNumberOfMessagesNotVisible']);
      }
      return counts;
    },

    async close(): Promise<void> {
      await close();
      await theErrandStore().close();
      await standing.close();
      await server.stop();
      await database.close();
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** What `breaks-cart` dies of. */
export const broken = 'Error: this errand breaks';

/** The id of the letter that died of it. */
export async function theBrokenOne({ context }: World): Promise<string> {
  const { value } = await runDeadList(context, { limit: 100 });
  return value.groups.find(({ reason }) => reason === broken)?.ids[0] ?? '';
}
