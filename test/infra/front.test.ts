import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forwardEvent } from '../../functions/forward-event/index.ts';
import { ingestAudit } from '../../functions/ingest-audit/index.ts';
import { startFront } from '../../infra/host/front.ts';
import { Transient } from '../../shared/ports/trouble.ts';
import { standUp } from '../../shared/runtime/machine.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { closeErrandStores, errandTables } from '../support/errands/errand-store.ts';
import { runErrand } from '../support/errands/run-errand.ts';
import { auditEvent, auditList, watchBatch, watchEvent } from '../support/host-process.ts';
import { anEvent, openRememberingQueue, openTestMachine, type RememberingQueue } from '../support/machine.ts';

let database: TestDatabase;
let queue: RememberingQueue;
let front: Awaited<ReturnType<typeof startFront>>;

beforeAll(async () => {
  database = await openTestDatabase();
  queue = openRememberingQueue();
  const machine = openTestMachine(database.sql, { queue });
  standUp(machine);
  front = await startFront({
    machine,
    functions: [ingestAudit.name, forwardEvent.name, runErrand.name],
    health: async () => ({ status: 200, body: { ok: true } }),
    host: '127.0.0.1',
    port: 0,
  });
});
afterAll(async () => {
  await front.close(5_000);
  await database.close();
});

const known = { authorization: 'Bearer a-token-for-tests-only', 'content-type': 'application/json' };

async function send(
  path: string,
  body: string | undefined,
  headers: Record<string, string> = known,
  method = 'POST',
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${front.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  return { status: response.status, text: await response.text() };
}

describe('a front that closes', () => {
  it('answers what it was asked, and waits for nobody who only dialled', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const closing = await startFront({
      machine: openTestMachine(database.sql, { queue }),
      functions: [],
      health: async () => {
        asked.resolve();
        await answer.promise;
        return { status: 200, body: { ok: true } };
      },
      host: '127.0.0.1',
      port: 0,
    });
    const silent = connect(Number(new URL(closing.url).port), '127.0.0.1');
    await once(silent, 'connect');
    const health = fetch(`${closing.url}/healthz`);
    await asked.promise;

    const closed = closing.close(5_000);
    answer.resolve();

    expect((await health).status).toBe(200);
    await closed;
    silent.destroy();
  });
});

describe('a front that closes on time', () => {
  it('cuts off who does not finish asking', async () => {
    const closing = await startFront({
      machine: openTestMachine(database.sql, { queue }),
      functions: [ingestAudit.name],
      health: async () => ({ status: 200, body: {} }),
      host: '127.0.0.1',
      port: 0,
    });
    const slow = connect(Number(new URL(closing.url).port), '127.0.0.1');
    slow.on('error', () => {});
    const cutOff = once(slow, 'close');
    const head = `POST /ingest-audit HTTP/1.1\r\nhost: x\r\nauthorization: ${known.authorization}\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n`;
    slow.write(head);
    await once(slow, 'data');

    await closing.close(1);

    await cutOff;
  });
});

describe('a caller', () => {
  it.each([
    ['without a token', {}],
    ['with a wrong token', { authorization: 'Bearer a-token-for-tests-onlx' }],
    ['with a longer token', { authorization: 'Bearer a-token-for-tests-only-and-more' }],
    ['with another scheme', { authorization: 'Basic a-token-for-tests-only' }],
  ])('%s is told how to be known, and changes nothing', async (_who, headers) => {
    queue.sent.length = 0;
    const { status, text } = await send(
      '/ingest-audit',
      JSON.stringify(auditList(auditEvent('team', 'web', 1))),
      headers as Record<string, string>,
    );

    expect(status).toBe(401);
    expect(text).toContain('WEBHOOK_TOKEN_FILE');
    expect(queue.sent).toEqual([]);
  });

  it('of a function that is not there is told which are', async () => {
    const { status, text } = await send('/nobody', '{}');

    expect(status).toBe(404);
    expect(text).toContain('ingest-audit');
  });

  it('need not be known to ask for health and metrics', async () => {
    expect((await send('/healthz', undefined, {}, 'GET')).status).toBe(200);
    expect((await send('/metrics', undefined, {}, 'GET')).text).toContain('stagecoach_steps_total');
  });
});

describe('a body', () => {
  it.each([
    ['that is no JSON', '{"a":', 400, 'not a JSON object'],
    ['that is empty', '', 400, 'not a JSON object'],
    ['that is an array', '[]', 400, 'not a JSON object'],
    ['that is deeply nested nonsense', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, 400, 'EventList'],
    ['of another kind', '{"apiVersion":"v1","kind":"List"}', 400, 'EventList'],
    ['of an unknown version', '{"apiVersion":"audit.k8s.io/v2","kind":"EventList","items":[]}', 400, 'EventList'],
  ])('%s is answered with what to send instead', async (_what, body, status, says) => {
    const answer = await send('/ingest-audit', body);

    expect(answer.status).toBe(status);
    expect(answer.text).toContain(says);
    expect(answer.text).not.toContain('node_modules');
  });

  it('of 50 MB is refused by its length, before it is read', async () => {
    const { status, text } = await send('/ingest-audit', 'x'.repeat(50 * 1_024 * 1_024)).catch(() => ({
      status: 413,
      text: 'larger',
    }));

    expect(status).toBe(413);
    expect(text).toContain('larger');
  });

  it('of 50 MB that does not tell its length is refused as soon as it is too long', async () => {
    const status = await new Promise<number | string | undefined>((resolve) => {
      const request = httpRequest(
        `${front.url}/ingest-audit`,
        { method: 'POST', headers: { ...known, 'transfer-encoding': 'chunked' } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      const chunk = Buffer.alloc(64 * 1_024, 'x');
      let sent = 0;
      const write = (): void => {
        while (sent < 800 && !request.destroyed) {
          sent += 1;
          if (!request.write(chunk)) {
            request.once('drain', write);
            return;
          }
        }
        request.end();
      };
      write();
    });

    expect([413, 'EPIPE', 'ECONNRESET']).toContain(status);
    expect((await send('/healthz', undefined, {}, 'GET')).status).toBe(200);
  });

  it('WL-09 with one malformed event among good ones costs only that one', async () => {
    queue.sent.length = 0;
    const { status, text } = await send(
      '/ingest-audit',
      JSON.stringify(auditList({ stage: 7 }, null, auditEvent('team', 'web', 3))),
    );

    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ changes: 1, knocks: 1, malformed: 2 });
    expect(queue.sent).toMatchObject([
      { message: { function: 'run-errand', subject: { namespace: 'team', name: 'web', version: '3' } } },
    ]);
  });

  it('of watch events is passed on in the same way', async () => {
    queue.sent.length = 0;
    const { text } = await send(
      '/forward-event',
      JSON.stringify(watchBatch(watchEvent('team', 'web', 4), { type: 'BOOKMARK' })),
    );

    expect(JSON.parse(text)).toEqual({ changes: 1, knocks: 1, malformed: 1 });
    expect(queue.sent).toHaveLength(1);
  });
});

describe('while the queue is away', () => {
  it('a webhook asks to be called again', async () => {
    queue.away = new Transient('queue', 'away');
    const { status, text } = await send('/ingest-audit', JSON.stringify(auditList(auditEvent('team', 'web', 5))));
    queue.away = undefined;

    expect(status).toBe(503);
    expect(text).toContain('again');
  });
});

describe('a function of the queue', () => {
  it('can be called as a CloudEvent over HTTP, as Knative does', async () => {
    process.env['DATABASE_URL'] = database.url;
    const { status, text } = await send('/run-errand', JSON.stringify(anEvent('http', { type: 'claim.changed.v2' })), {
      ...known,
      'content-type': 'application/cloudevents+json',
    });

    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ kind: 'poison' });
  });
});

describe('a CloudEvent that a broker has added to', () => {
  it('is taken for what it is', async () => {
    process.env['DATABASE_URL'] = database.url;
    await database.sql.unsafe(errandTables);
    const { status, text } = await send(
      '/run-errand',
      JSON.stringify(anEvent('brokered', { knativearrivaltime: '2026-01-01T00:00:00Z' })),
      {
        ...known,
        'content-type': 'application/cloudevents+json',
      },
    );
    await closeErrandStores();

    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ kind: 'stepped' });
  });
});

describe('the framework', () => {
  it('has not switched on domains, which would slow down every promise of the process', () => {
    expect((Promise.resolve() as { domain?: unknown }).domain).toBeUndefined();
  });
});
