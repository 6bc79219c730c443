import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lockFolder } from '../folder-lock.ts';
import { Broker } from './broker.ts';
import { HttpExchange, watchSocket } from './http-exchange.ts';
import { isRecord } from './input.ts';
import { messageActions } from './message-actions.ts';
import { MoveTasks } from './move-tasks.ts';
import { type Action, queueActions } from './queue-actions.ts';
import { type Receiver, receiveMessage } from './receive-message.ts';
import { sendActions } from './send-actions.ts';
import { SqsError } from './sqs-error.ts';

export interface EmbeddedQueueOptions {
  /** Where the queues are kept. It is made when it does not exist. */
  readonly folder: string;
  /** A free port is chosen when none is given. */
  readonly port?: number | undefined;
  readonly log: (message: string, fields?: Readonly<Record<string, string | number>>) => void;
  readonly now?: (() => number) | undefined;
  readonly compactAboveBytes?: number | undefined;
}

export interface EmbeddedQueue {
  /** What goes into AWS_ENDPOINT_URL_SQS. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

const Target = 'AmazonSQS.';

/** Starts the embedded SQS server in this process. It listens on loopback only and looks at no credentials. */
export async function startEmbeddedQueue(options: EmbeddedQueueOptions): Promise<EmbeddedQueue> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(options.folder, 'embedded queue server');
  const server = createServer({ keepAlive: true, noDelay: true });
  // The SDK keeps connections for later; closing them from here would fail the request that is just coming.
  server.keepAliveTimeout = 0;
  try {
    await listen(server, options.port ?? 0);
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { now = Date.now, compactAboveBytes } = options;
    const broker = new Broker({ folder: options.folder, now, compactAboveBytes });
    const tasks = new MoveTasks(broker);
    const actions: ReadonlyMap<string, Action> = new Map(
      Object.entries({
        ...queueActions(broker, endpoint),
        ...sendActions(broker),
        ...messageActions(broker),
        ...tasks.actions(),
      }),
    );
    server.on('connection', watchSocket);
    server.on('request', (request, response) => {
      const exchange = new HttpExchange(request, response);
      exchange.readBody((body) => handle(broker, actions, exchange, body, options.log));
    });
    options.log('embedded SQS server (development stand-in) listens; credentials are not checked', {
      endpoint,
      folder: options.folder,
    });
    return {
      endpoint,
      stop: async () => {
        tasks.stop();
        broker.polls.abandonAll();
        broker.journal.close();
        await close(server);
        unlock();
      },
    };
  } catch (error) {
    server.close();
    unlock();
    throw error;
  }
}

function handle(
  broker: Broker,
  actions: ReadonlyMap<string, Action>,
  exchange: HttpExchange,
  body: string | SqsError,
  log: EmbeddedQueueOptions['log'],
): void {
  /** Nobody hears of a change before it is written. */
  function answer(result: object, takeBack?: () => void): void {
    broker.journal.afterWrite((failure) => {
      if (failure === undefined) return exchange.answer(result, takeBack);
      takeBack?.();
      log('embedded queue cannot write its journal', { error: failure.message });
      exchange.refuse(new SqsError('InternalError', `The embedded queue cannot write its journal: ${failure.message}`));
    });
  }

  try {
    if (body instanceof SqsError) throw body;
    const action = actionName(exchange);
    const input = readInput(body);
    const act = actions.get(action);
    if (action === 'ReceiveMessage') receiveMessage(broker, input, receiverOn(exchange, answer));
    else if (act !== undefined) answer(act(input));
    else throw new SqsError('InvalidAction', `The action ${action.slice(0, 100)} is not valid for this endpoint.`);
  } catch (error) {
    exchange.refuse(error instanceof SqsError ? error : defect(error, log));
  }
}

function receiverOn(exchange: HttpExchange, answer: Receiver['answer']): Receiver {
  return { isOpen: () => exchange.isOpen(), onClose: (stop) => exchange.onClose(stop), answer };
}

/** Our own mistake costs one request, not the server. */
function defect(error: unknown, log: EmbeddedQueueOptions['log']): SqsError {
  const message = error instanceof Error ? error.message : String(error);
  log('embedded queue failed on a request', { error: message });
  return new SqsError('InternalError', `The embedded queue failed on this request: ${message}`);
}

function actionName(exchange: HttpExchange): string {
  const { method, headers } = exchange.request;
  if (method !== 'POST') throw new SqsError('InvalidAction', 'Only POST requests of the JSON protocol are understood.');
  if (!headers['content-type']?.startsWith('application/x-amz-json-1.0')) {
    throw new SqsError(
      'InvalidAction',
      'The content type must be application/x-amz-json-1.0, as current SDKs send it.',
    );
  }
  const target = headers['x-amz-target'];
  if (typeof target !== 'string' || !target.startsWith(Target)) {
    throw new SqsError('InvalidAction', `The header X-Amz-Target must name an action, as in ${Target}SendMessage.`);
  }
  return target.slice(Target.length);
}

function readInput(body: string): Readonly<Record<string, unknown>> {
  let input: unknown;
  try {
    input = JSON.parse(body);
  } catch (cause) {
    throw new SqsError('SerializationException', 'The request body is not JSON.', { cause });
  }
  if (!isRecord(input)) throw new SqsError('SerializationException', 'The request body is not a JSON object.');
  return input;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new Error(`The embedded queue cannot listen on port ${port}: ${cause.message}. Choose another port.`, {
          cause,
        }),
      );
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

/** Answers that are on their way still get out; connections that only wait are closed. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 500).unref();
  });
}
