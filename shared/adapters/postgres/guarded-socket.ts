import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { openTransport, type Transport } from './open-transport.ts';
import {
  createIncomingReader,
  createOutgoingReader,
  isCancelRequest,
  type Status,
  writeError,
  writeReady,
} from './wire.ts';

/**
 * The socket that postgres.js 3.4.9 gets from us, because it does not survive the loss of a plain one. Seen by trying:
 *
 *   - the state of the lost session stays: its error fails the next, innocent statement, or its unsent bytes are never
 *     flushed and every later statement on that connection waits for ever (its pull request 1142);
 *   - a transaction whose server goes away writes to a null socket, outside of any promise, and the process dies (its
 *     issues 1154 and 1208);
 *   - a server that accepts and closes, as a load balancer without a backend does, is called again at once, for ever;
 *   - a transaction's later statements may run on the session that replaced its own, outside of any transaction.
 *
 * So a loss is told in the only language that the driver handles well, the protocol: every open statement is answered
 * with an error and a "ready", as is every statement that still comes. When nothing is open any more, the socket closes.
 */
export class GuardedSocket extends EventEmitter {
  readonly host: string;
  readonly port: number;
  readonly #giveUp = new AbortController();
  readonly #readIncoming = createIncomingReader();
  readonly #readOutgoing = createOutgoingReader();
  #socket: Socket | undefined;
  #waiting: Buffer[] = [];
  /** The start-up is over and statements may come. */
  #started = false;
  #cancels = false;
  #lost = false;
  #closing = false;
  #closed = false;
  #status: Status = 'I';
  /** Statements that were sent and not answered; true for one that ends its transaction. */
  readonly #open: boolean[] = [];
  /** The driver asked for a description, and waits for it before it asks for more. */
  #describing = false;
  /** A transaction was open at the loss, and its owner has not let go. */
  #held = false;
  /** An error was given, and what comes before the next "sync" belongs to the same statement. */
  #refusing = false;

  constructor(transport: Transport) {
    super();
    this.host = transport.host;
    this.port = transport.port;
    // Not before the driver listens to us.
    setImmediate(() => {
      openTransport(transport, this.#giveUp.signal).then(
        (socket) => this.#attach(socket),
        (error: Error) => this.#lose(undefined, error),
      );
    });
  }

  get readyState(): string {
    return this.#closed ? 'closed' : 'open';
  }

  write(chunk: Buffer, done?: () => void): boolean {
    if (this.#lost) {
      this.#refuse(chunk);
      if (done !== undefined) queueMicrotask(done);
      return true;
    }
    if (this.#started) this.#note(chunk);
    else if (isCancelRequest(chunk)) this.#cancels = true;
    if (this.#socket !== undefined) return this.#socket.write(chunk, done);
    this.#waiting.push(chunk);
    return true;
  }

  /** The driver says goodbye, and expects no answers any more. */
  end(farewell: Buffer): void {
    if (this.#lost || this.#socket === undefined) {
      this.destroy();
      return;
    }
    this.#lost = true;
    this.#socket.once('close', () => this.#close(false));
    this.#socket.end(farewell);
    this.#socket.destroySoon();
  }

  destroy(): void {
    this.#lost = true;
    this.#held = false;
    this.#giveUp.abort();
    this.#socket?.destroy();
    this.#closeWhenQuiet(true);
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  #attach(socket: Socket): void {
    if (this.#lost) {
      socket.destroy();
      return;
    }
    this.#socket = socket;
    // A peer that vanishes without a word is found out by probes, so that nobody waits for it for ever.
    socket.setKeepAlive(true, 30_000);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('drain', () => this.emit('drain'));
    socket.on('error', (error) => this.#lose(undefined, error));
    socket.on('close', () => this.#lose(undefined, undefined));
    for (const chunk of this.#waiting) socket.write(chunk);
    this.#waiting = [];
  }

  #receive(chunk: Buffer): void {
    if (this.#lost) return;
    const { pass, answered, status, fatal } = this.#readIncoming(chunk);
    if (answered > 0) {
      // The first "ready" ends the start-up and answers no statement.
      this.#open.splice(0, this.#started ? answered : answered - 1);
      this.#started = true;
      this.#status = status ?? this.#status;
    }
    if (pass.length > 0) this.emit('data', pass);
    if (fatal !== undefined) this.#lose(fatal, undefined);
  }

  #note(chunk: Buffer): void {
    for (const { kind, endsTransaction } of this.#readOutgoing(chunk)) {
      if (kind === 'sync' || kind === 'query') this.#open.push(endsTransaction);
      this.#describing = kind === 'work';
    }
  }

  /** The session is over. `fatal` is what the server said at the end, `reason` what the network said. */
  #lose(fatal: Buffer | undefined, reason: Error | undefined): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#socket?.destroy();
    if (this.#started) this.#answerOpen(fatal ?? lostBeforeAnswer(reason));
    else if (fatal !== undefined) this.emit('data', fatal);
    // A request to cancel is answered by a closed connection, and by nothing else.
    else if (!this.#cancels) this.emit('error', cannotConnect(this.host, this.port, reason));
    this.#closeWhenQuiet(!this.#started && !this.#cancels);
  }

  #answerOpen(error: Buffer): void {
    this.#held = this.#status !== 'I';
    for (const endsTransaction of this.#open.splice(0)) {
      this.#status = this.#held && !endsTransaction ? 'E' : 'I';
      this.emit('data', Buffer.concat([error, writeReady(this.#status)]));
    }
    if (this.#describing) {
      this.#refusing = true;
      this.emit('data', error);
    }
    this.#letGo();
  }

  /** Answers what the driver writes after the loss. It was never sent, and the code says so. */
  #refuse(chunk: Buffer): void {
    if (!this.#started || this.#closed) return;
    const answers: Buffer[] = [];
    for (const { kind, endsTransaction } of this.#readOutgoing(chunk)) {
      if (!this.#refusing && kind !== 'sync') {
        answers.push(writeError('08003', 'the connection to the database is lost, the statement was not sent'));
        this.#refusing = true;
      }
      if (kind === 'work') continue;
      if (endsTransaction) this.#status = 'I';
      answers.push(writeReady(this.#status));
      this.#refusing = false;
    }
    setImmediate(() => {
      this.emit('data', Buffer.concat(answers));
      this.#letGo();
      this.#closeWhenQuiet(false);
    });
  }

  /** The owner of the transaction hears its own error first: the news of the close says less, and would win. */
  #letGo(): void {
    if (!this.#held || this.#status !== 'I') return;
    setTimeout(() => {
      this.#held = false;
      this.#closeWhenQuiet(false);
    }, 1);
  }

  /**
   * The driver collects what it writes until the next turn of the event loop, and never writes again if the socket
   * closes meanwhile; so we close at a moment when nothing is collected. A transaction must be let go by its owner first:
   * closed before, the driver would run the rest of it on another session.
   */
  #closeWhenQuiet(failed: boolean): void {
    if (this.#closed || this.#held) return;
    if (!process.getActiveResourcesInfo().includes('Immediate')) this.#close(failed);
    else if (!this.#closing) {
      this.#closing = true;
      setTimeout(() => {
        this.#closing = false;
        this.#closeWhenQuiet(failed);
      }, 1);
    }
  }

  #close(failed: boolean): void {
    if (this.#closed) return;
    this.#closed = true;
    this.emit('close', failed);
  }
}

function lostBeforeAnswer(reason: Error | undefined): Buffer {
  const why = reason?.message ?? 'closed by the other side';
  return writeError('08006', `the connection to the database was lost before the answer came: ${why}`);
}

function cannotConnect(host: string, port: number, cause: Error | undefined): Error {
  const why = cause?.message ?? 'it closed the connection';
  return Object.assign(new Error(`cannot connect to the database at ${host}:${port}: ${why}`, { cause }), {
    code: '08001',
  });
}
