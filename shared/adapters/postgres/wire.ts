/** The few facts of PostgreSQL's wire protocol (version 3) that guarded-socket.ts needs. */

type Incoming = {
  /** What may be handed on. */
  readonly pass: Buffer;
  /** How many statements were answered, and the state of the session after the last one. */
  readonly answered: number;
  readonly status: Status | undefined;
  /** The error with which the server ends the session. Nothing comes after it. */
  readonly fatal: Buffer | undefined;
};

/** Idle, inside a transaction, inside a failed one. */
export type Status = 'I' | 'T' | 'E';

/** One thing the client asked for. Each `sync` and `query` is answered by a "ready". */
export type Asked = {
  readonly kind: 'work' | 'sync' | 'query' | 'terminate';
  /** It commits or rolls back, so the session is idle afterwards. */
  readonly endsTransaction: boolean;
};

const letter = (text: string) => text.charCodeAt(0);
const [errorResponse, readyForQuery] = [letter('E'), letter('Z')];
const [parse, bind, sync, simpleQuery, terminate] = [letter('P'), letter('B'), letter('S'), letter('Q'), letter('X')];

/** Follows the server's messages over the borders of the network's chunks, and holds back an error until it is whole. */
export function createIncomingReader(): (chunk: Buffer) => Incoming {
  let held: Buffer = Buffer.alloc(0);
  let rest = 0;

  return (chunk) => {
    const data = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = rest;
    let answered = 0;
    let status: Status | undefined;
    while (data.length - at >= 6) {
      const end = at + 1 + data.readUInt32BE(at + 1);
      if (data[at] === errorResponse) {
        if (end > data.length) break;
        const message = data.subarray(at, end);
        if (isFatal(message)) return { pass: data.subarray(0, at), answered, status, fatal: message };
      } else if (data[at] === readyForQuery) {
        answered += 1;
        status = String.fromCharCode(data[at + 5] ?? 0) as Status;
      }
      at = end;
    }
    // Most messages may be handed on in parts; the shortest, of five bytes, waits for the next chunk.
    const whole = Math.min(at, data.length);
    rest = at - whole;
    held = data.subarray(whole);
    return { pass: data.subarray(0, whole), answered, status, fatal: undefined };
  };
}

/** Reads what the driver writes, which is always whole messages, and remembers which prepared statements end a transaction. */
export function createOutgoingReader(): (chunk: Buffer) => Asked[] {
  const ending = new Set<string>();
  let ends = false;

  return (chunk) => {
    const asked: Asked[] = [];
    for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readUInt32BE(at + 1)) {
      const type = chunk[at];
      if (type === parse) {
        const [name = '', text = ''] = textsAt(chunk, at + 5, 2);
        if (endsTransaction(text)) ending.add(name);
        else ending.delete(name);
      } else if (type === bind) ends = ending.size > 0 && ending.has(textsAt(chunk, at + 5, 2)[1] ?? '');
      else if (type === simpleQuery) ends = endsTransaction(textsAt(chunk, at + 5, 1)[0] ?? '');

      const kind = type === sync ? 'sync' : type === simpleQuery ? 'query' : type === terminate ? 'terminate' : 'work';
      asked.push({ kind, endsTransaction: ends });
      if (kind !== 'work') ends = false;
    }
    return asked;
  };
}

export function isCancelRequest(chunk: Buffer): boolean {
  return chunk.length === 16 && chunk.readUInt32BE(4) === 80_877_102;
}

/** The request for TLS, which a client sends before anything else. The server answers with one letter. */
export const tlsRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

export function writeReady(status: Status): Buffer {
  return Buffer.from([readyForQuery, 0, 0, 0, 5, letter(status)]);
}

export function writeError(sqlState: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head[0] = errorResponse;
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Field V is the severity, untranslated. */
function isFatal(message: Buffer): boolean {
  const text = message.toString('latin1', 5);
  return text.includes('\0VFATAL\0') || text.includes('\0VPANIC\0');
}

function endsTransaction(text: string): boolean {
  return /^\s*(commit|rollback)\s*$/i.test(text);
}

function textsAt(chunk: Buffer, start: number, count: number): string[] {
  const texts: string[] = [];
  for (let at = start; texts.length < count; ) {
    const end = chunk.indexOf(0, at);
    if (end < 0) break;
    texts.push(chunk.toString('latin1', at, end));
    at = end + 1;
  }
  return texts;
}
