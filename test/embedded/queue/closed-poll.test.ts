import { type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { counts, makeQueue, openEmbeddedQueue, sqsHeaders } from '../../support/queue-endpoints.ts';

describe('a receiver that goes away', () => {
  let endpoint: Awaited<ReturnType<typeof openEmbeddedQueue>>;
  let QueueUrl: string;
  beforeEach(async () => {
    endpoint = await openEmbeddedQueue();
    QueueUrl = (await makeQueue(endpoint.client)).url;
  });
  afterEach(() => endpoint.stop());

  /** A receive that waits, on a connection of its own. */
  async function startPoll(): Promise<ClientRequest> {
    const poll = request(endpoint.endpoint, { method: 'POST', headers: sqsHeaders('ReceiveMessage'), agent: false });
    poll.on('error', () => {});
    poll.end(JSON.stringify({ QueueUrl, WaitTimeSeconds: 20, VisibilityTimeout: 600 }));
    await new Promise((resolve) => poll.once('finish', resolve));
    // An answer on a second connection shows that the server has read what came before it.
    await counts(endpoint.client, QueueUrl);
    return poll;
  }

  async function send(MessageBody: string): Promise<void> {
    await endpoint.client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  }

  async function receive(): Promise<[string | undefined, string | undefined]> {
    const { Messages = [] } = await endpoint.client.send(
      new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5, MessageSystemAttributeNames: ['All'] }),
    );
    return [Messages[0]?.Body, Messages[0]?.Attributes?.ApproximateReceiveCount];
  }

  test('takes no message with it when it went before the message came', async () => {
    const poll = await startPoll();
    poll.destroy();

    await send('for the living');

    expect(await receive()).toEqual(['for the living', '1']);
  });

  test('takes no message with it when it goes at the same moment', async () => {
    const polls = await Promise.all(Array.from({ length: 20 }, startPoll));

    const sent = Promise.all(Array.from({ length: 20 }, (_, index) => send(`message ${index}`)));
    for (const poll of polls) poll.destroy();
    await sent;

    await expect.poll(() => counts(endpoint.client, QueueUrl)).toEqual([20, 0, 0]);
    expect((await receive())[1]).toBe('1');
  });

  test('gives back a message whose answer it never read', async () => {
    await send('unread');
    const socket: Socket = connect(Number(new URL(endpoint.endpoint).port), '127.0.0.1');
    socket.on('error', () => {});
    const body = JSON.stringify({ QueueUrl, VisibilityTimeout: 600 });
    const headers = Object.entries({ host: 'localhost', ...sqsHeaders('ReceiveMessage') });
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.pause();
    socket.write(`POST / HTTP/1.1\r\n${lines}content-length: ${body.length}\r\n\r\n${body}`);
    await expect.poll(() => counts(endpoint.client, QueueUrl)).toEqual([0, 1, 0]);

    socket.resetAndDestroy();

    expect(await receive()).toEqual(['unread', '1']);
  });

  test('keeps its message when it closes its connection after reading', async () => {
    await send('mine');
    const reading = request(endpoint.endpoint, { method: 'POST', headers: sqsHeaders('ReceiveMessage'), agent: false });
    reading.end(JSON.stringify({ QueueUrl, VisibilityTimeout: 600 }));
    await new Promise<void>((resolve) => {
      reading.once('response', (response) => response.resume().once('close', () => resolve()));
    });

    await send('another');

    expect(await receive()).toEqual(['another', '1']);
    expect(await counts(endpoint.client, QueueUrl)).toEqual([0, 2, 0]);
  });
});
