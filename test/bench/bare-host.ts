/**
 * The floor: the same round trips as a step, in the same order, and nothing else. HTTP in, SQS send, SQS receive,
 * begin, observe, finish, SQS send; the delete beside it, as in the host.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import postgres from 'postgres';

const sql = postgres(process.env['DATABASE_URL'] ?? '', { max: 2, onnotice: () => {} });
const sqs = new SQSClient({});
const [inUrl, outUrl] = await Promise.all(
  ['stagecoach-bare-in', 'stagecoach-bare-out'].map(
    async (QueueName) => (await sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl,
  ),
);

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { events } = JSON.parse(Buffer.concat(chunks).toString()) as {
    events: { object: { metadata: { namespace: string; name: string; resourceVersion: string } } }[];
  };
  const metadata = events[0]?.object.metadata;
  await sqs.send(new SendMessageCommand({ QueueUrl: inUrl, MessageBody: JSON.stringify(metadata) }));
  response.end('{}');
});

async function poll(): Promise<never> {
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: inUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 20,
        MessageAttributeNames: ['All'],
      }),
    );
    for (const { Body = '', ReceiptHandle } of Messages) {
      const { namespace, name, resourceVersion } = JSON.parse(Body) as {
        namespace: string;
        name: string;
        resourceVersion: string;
      };
      const subject = `${namespace}/${name}`;
      process.send?.({ word: 'started', subject });
      const id = randomUUID();
      const key = `bare:${subject}`;
      const data = { namespace, name };
      const begin = [
        {
          step: id,
          function: 'bare',
          subject,
          key,
          lease_seconds: 20,
          version: resourceVersion,
          from_row: false,
          message: { id, type: 't', data, tenant: namespace },
        },
      ];
      await sql`select * from begin_steps(${JSON.stringify(begin)}::text::jsonb) order by place`;
      await sql`select ran_version from errand where subject = ${subject}`;
      const step = {
        id,
        function: 'bare',
        subject,
        tenant: namespace,
        type: 't',
        data,
        serial_key: key,
        message_id: id,
        attempt: 0,
        outcome: 'stepped',
        effects: [{ do: 'run-errand', version: resourceVersion }],
        emitted: [],
        covered: 0,
        ms: 1,
        done: true,
        buried: false,
        key,
        version: resourceVersion,
        knocks: [
          { id: randomUUID(), function: 'bare-out', type: 't', subject, data, tenant: namespace, serial_key: key },
        ],
      };
      await sql.unsafe(
        `with w0 as (insert into errand (subject, ran_version, runs) values ($3, $4, 1) on conflict (subject) do update set ran_version = excluded.ran_version, runs = errand.runs + 1 returning 1),
         w1 as (insert into errand_run (subject, version) values ($5, $6) returning 1)
         select finish_step($1::text::jsonb, $2) as messages, expect_rows((select count(*) from w0), 1), expect_rows((select count(*) from w1), 1)`,
        [JSON.stringify(step), 60, subject, resourceVersion, subject, resourceVersion],
        { prepare: true },
      );
      await sqs.send(new SendMessageCommand({ QueueUrl: outUrl, MessageBody: Body }));
      process.send?.({ word: 'done', subject });
      void sqs.send(new DeleteMessageCommand({ QueueUrl: inUrl, ReceiptHandle }));
    }
  }
}

server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ msg: 'host is up', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
process.on('SIGTERM', () => process.exit(0));
void poll();
