import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const pack = promisify(gzip);

/** Something that a browser may keep and ask for again. */
export interface Document {
  readonly type: string;
  readonly body: Buffer;
  /** Weak: the packed body and the plain one share it. */
  readonly etag: string;
  /** Undefined: too small to be worth it. */
  readonly packed: Buffer | undefined;
}

/** Below this a packed body is hardly smaller, and one packet carries either. */
const worthPacking = 1_024;

export async function makeDocument(type: string, body: Buffer): Promise<Document> {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return {
    type,
    body,
    etag: `W/"${hash}"`,
    // The fastest level: a board of a thousand applications changes every second while they are promoted.
    packed: body.length < worthPacking ? undefined : await pack(body, { level: 1 }),
  };
}
