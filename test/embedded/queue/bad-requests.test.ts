import { connect } from 'node:net';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counts, makeQueue, openEmbeddedQueue, refusal, sqsHeaders } from '../../support/queue-endpoints.ts';

describe('requests that are not for the embedded queue', () => {
  let endpoint: Awaited<ReturnType<typeof openEmbeddedQueue>>;
  let QueueUrl: string;
  beforeAll(async () => {
    endpoint = await openEmbeddedQueue();
    QueueUrl = (await makeQueue(endpoint.client)).url;
  });
  afterAll(() => endpoint.stop());

  async function post(
    headers: Record<string, string>,
    body: string,
  ): Promise<{ status: number; type: string; code: string | null }> {
    const answer = await fetch(endpoint.endpoint, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(10_000),
    });
    const { __type = '' } = (await answer.json()) as { __type?: string };
    return { status: answer.status, type: __type, code: answer.headers.get('x-amzn-query-error') };
  }

  test.each([
    ['a body that is not JSON', sqsHeaders('SendMessage'), '{"QueueUrl":', 'SerializationException'],
    ['a body that is no object', sqsHeaders('SendMessage'), '[1]', 'SerializationException'],
    ['an empty body', sqsHeaders('SendMessage'), '', 'SerializationException'],
    ['a field of the wrong type', sqsHeaders('SendMessage'), '{"QueueUrl":7}', 'SerializationException'],
    ['a missing field', sqsHeaders('SendMessage'), '{}', 'MissingParameter'],
    ['an unknown action', sqsHeaders('AddPermission'), '{}', 'InvalidAction'],
    ['the name of something every object has', sqsHeaders('constructor'), '{}', 'InvalidAction'],
    ['another service', { ...sqsHeaders('SendMessage'), 'x-amz-target': 'DynamoDB.GetItem' }, '{}', 'InvalidAction'],
    ['another content type', { ...sqsHeaders('SendMessage'), 'content-type': 'text/plain' }, '{}', 'InvalidAction'],
    ['no action', { 'content-type': 'application/x-amz-json-1.0' }, '{}', 'InvalidAction'],
  ])('%s is answered with a clear refusal', async (_name, headers, body, type) => {
    const answer = await post(headers, body);

    expect(answer).toEqual({ status: 400, type: `com.amazonaws.sqs#${type}`, code: `${type};Sender` });
  });

  test('a body without end is cut off, and others are served meanwhile', async () => {
    const socket = connect(Number(new URL(endpoint.endpoint).port), '127.0.0.1');
    const lines = Object.entries({ host: 'x', ...sqsHeaders('SendMessage') }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const answered = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.write(`POST / HTTP/1.1\r\n${lines.join('\r\n')}\r\ntransfer-encoding: chunked\r\n\r\n`);
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;

    for (let sent = 0; sent < 9; sent += 1) socket.write(chunk);

    expect(await answered).toMatch(/^HTTP\/1.1 413 /);
    await closed;
    expect(await counts(endpoint.client, QueueUrl)).toEqual([0, 0, 0]);
  });

  test('a message of more than 1 MiB is refused, and one of exactly that size is taken', async () => {
    const { url } = await makeQueue(endpoint.client);
    const fits = endpoint.client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'x'.repeat(1_048_576) }));
    const tooLong = 'x'.repeat(1_048_577);

    expect(await refusal(fits)).toBe('');
    expect(await refusal(endpoint.client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: tooLong })))).toBe(
      'InvalidParameterValue',
    );
    expect(await counts(endpoint.client, url)).toEqual([1, 0, 0]);
  });

  test('characters that SQS cannot carry are refused', async () => {
    const send = endpoint.client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a\u0001b' }));

    expect(await refusal(send)).toBe('InvalidMessageContents');
  });

  test('attribute names that every object has are only names', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const attributes = names.map((name) => `"${name}":{"DataType":"String","StringValue":"v"}`).join(',');

    const body = `{"QueueUrl":"${QueueUrl}","MessageBody":"x","MessageAttributes":{${attributes}}}`;
    const answer = await post(sqsHeaders('SendMessage'), body);

    expect(answer.status).toBe(200);
    expect(({} as Record<string, unknown>)['DataType']).toBeUndefined();
  });

  test('half a request and a connection that goes away harm nobody', async () => {
    const socket = connect(Number(new URL(endpoint.endpoint).port), '127.0.0.1');
    socket.on('error', () => {});
    const written = new Promise((resolve) =>
      socket.write('POST / HTTP/1.1\r\ncontent-length: 100\r\n\r\n{"half', resolve),
    );
    await written;

    socket.resetAndDestroy();

    expect(await refusal(endpoint.client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' })))).toBe('');
  });
});
