import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SqsError } from './sqs-error.ts';

const ContentType = 'application/x-amz-json-1.0';
/** A message may have 1 MiB; JSON and base64 make it longer on the wire. Nothing that SQS accepts comes near this. */
const BodyLimitBytes = 8 * 1024 * 1024;

/** What was handed out in the last answer on a connection, until the client shows that it is alive. */
const handedOut = new WeakMap<Socket, () => void>();

/** Called for each new connection. */
export function watchSocket(socket: Socket): void {
  // A client that dies with an answer unread resets the connection. One that closes it properly has read everything.
  socket.on('close', (hadError) => {
    if (hadError) handedOut.get(socket)?.();
    handedOut.delete(socket);
  });
}

/** One request and its answer. */
export class HttpExchange {
  readonly request: IncomingMessage;
  private readonly response: ServerResponse;
  private readonly socket: Socket;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
    this.socket = request.socket;
    handedOut.delete(this.socket);
    // Without a listener, a client that goes away would be an uncaught error.
    request.on('error', () => {});
    response.on('error', () => {});
  }

  isOpen(): boolean {
    return this.socket.writable && !this.socket.destroyed && !this.socket.readableEnded;
  }

  onClose(stop: () => void): void {
    if (this.isOpen()) this.response.once('close', stop);
    else stop();
  }

  /** Reads the body; calls back with an error when it is too long. Says nothing when the client goes away. */
  readBody(done: (body: string | SqsError) => void): void {
    const { request } = this;
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BodyLimitBytes) chunks.push(chunk);
      else if (length - chunk.length <= BodyLimitBytes) {
        chunks.length = 0;
        done(new SqsError('RequestEntityTooLarge', `The request is longer than ${BodyLimitBytes} bytes.`));
      }
    });
    request.on('end', () => {
      if (length > BodyLimitBytes) return;
      const [only] = chunks;
      done(chunks.length === 1 && only !== undefined ? only.toString() : Buffer.concat(chunks).toString());
    });
  }

  /** Sends the answer. When nobody is there to take it, what it hands out is taken back. */
  answer(body: object, takeBack: (() => void) | undefined): void {
    if (!this.isOpen()) {
      takeBack?.();
      return;
    }
    if (takeBack !== undefined) handedOut.set(this.socket, takeBack);
    this.write(200, JSON.stringify(body), []);
  }

  refuse(error: SqsError): void {
    if (!this.isOpen()) return;
    const body = JSON.stringify({ __type: `com.amazonaws.sqs#${error.name}`, message: error.message });
    const fault = error.senderFault ? 'Sender' : 'Receiver';
    const headers = ['x-amzn-query-error', `${error.code};${fault}`];
    // The rest of a body that is too long is not read.
    if (error.status === 413) headers.push('connection', 'close');
    this.write(error.status, body, headers);
  }

  private write(status: number, body: string, headers: readonly string[]): void {
    this.response.sendDate = false;
    this.response.writeHead(status, [
      'content-type',
      ContentType,
      'content-length',
      String(Buffer.byteLength(body)),
      ...headers,
    ]);
    this.response.end(body);
  }
}
