// An object of etcd has at most 1.5 MB. What is longer than this is not a line of a watch.
const longestLine = 32 * 1024 * 1024;

/** A line of the watch that makes no sense. Whatever it was, it cannot be skipped in silence: list again. */
export class UnreadableLine extends Error {
  override readonly name = 'UnreadableLine';
}

/**
 * Cuts a stream of bytes into its lines. Looks for the end of a line in new bytes only, so that one that comes in a
 * hundred chunks costs no more than its length. A last line without an end was cut off with its connection, and is left
 * out: it comes again when the watch is resumed.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      const line = parts.length === 1 ? chunk.toString('utf8', start, end) : Buffer.concat(parts).toString('utf8');
      parts = [];
      length = 0;
      start = end + 1;
      if (line.trim() !== '') yield line;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > longestLine) throw new UnreadableLine(`a line of the watch is longer than ${longestLine} bytes`);
  }
}
