import { constants, gunzipSync, gzipSync } from 'node:zlib';

/** The limit of the column, in compressed bytes. */
const mostBytes = 262_144;
/** A text of fewer bytes than this fits whatever is in it: what cannot be compressed grows by less than a hundredth. */
const surelyFits = 250_000;
/** What nobody would unpack: an object of the API server has two million bytes at most. */
const mostUnpacked = 16 * 1_024 * 1_024;

/** Every status is compressed once and read often, so what counts is time. */
export function packStatus(text: string): Uint8Array {
  return gzipSync(text, { level: constants.Z_BEST_SPEED });
}

/** Undefined where there is none, or where nobody can read it: then it is written anew. */
export function unpackStatus(packed: Uint8Array | null): string | undefined {
  if (packed === null) return undefined;
  try {
    return gunzipSync(packed, { maxOutputLength: mostUnpacked }).toString('utf8');
  } catch {
    return undefined;
  }
}

export function fitsPacked(text: string): boolean {
  return Buffer.byteLength(text) < surelyFits || packStatus(text).length <= mostBytes;
}
