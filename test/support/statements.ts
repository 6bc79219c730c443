/** What goes between a client of PostgreSQL and its server (protocol version 3), as far as statements must be told apart. */

interface Asked {
  readonly bytes: Buffer;
  /** What the server is to carry out now, and says when it has; undefined: they only prepare it. */
  readonly text: string | undefined;
}

interface Answered {
  readonly bytes: Buffer;
  /** The server has done, and committed, what it was asked for. */
  readonly isLast: boolean;
}

/** Follows what a client sends. What belongs to one statement comes out together. */
export function readStatements(): (chunk: Buffer) => Asked[] {
  const messagesIn = createCutter({ hasStart: true });
  const prepared = new Map<string, string>();
  let unsent: Buffer[] = [];
  let text = '';

  return (chunk) => {
    const asked: Asked[] = [];
    for (const message of messagesIn(chunk)) {
      unsent.push(message);
      const kind = kindOf(message);
      const [first = '', second = ''] = message.toString('utf8', 5).split('\0', 2);
      if (kind === 'P') prepared.set(first, second);
      else if (kind === 'B') text = prepared.get(second) ?? '';
      else if (kind === 'Q') text = first;
      // To parse, bind, describe, execute and close is one act with the sync behind them.
      if ('PBDEC'.includes(kind)) continue;
      const isCarriedOut = kind === 'S' || kind === 'Q';
      asked.push({ bytes: Buffer.concat(unsent), text: isCarriedOut ? text : undefined });
      unsent = [];
      if (isCarriedOut) text = '';
    }
    return asked;
  };
}

/** Follows what a server answers. */
export function readAnswers(): (chunk: Buffer) => Answered[] {
  const messagesIn = createCutter({ hasStart: false });
  return (chunk) => messagesIn(chunk).map((bytes) => ({ bytes, isLast: kindOf(bytes) === 'Z' }));
}

const kindOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0);

/** Cuts a stream into messages: a letter and a length each, but for the one that a client starts with, which has no letter. */
function createCutter({ hasStart }: { readonly hasStart: boolean }): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  let letters = hasStart ? 0 : 1;

  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    while (rest.length >= letters + 4) {
      const end = letters + rest.readUInt32BE(letters);
      if (rest.length < end) break;
      messages.push(rest.subarray(0, end));
      rest = rest.subarray(end);
      letters = 1;
    }
    return messages;
  };
}
