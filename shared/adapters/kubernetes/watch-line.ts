import { isFields } from '../../domain/core/fields.ts';
import { UnreadableLine } from './read-lines.ts';
import { UnexpectedAnswer } from './translate-kubernetes.ts';
import { readObject, type WatchEvent, type WatchedResource } from './watched-object.ts';

/** The server no longer knows what came after our resourceVersion, or never did: list again. */
export class HistoryGone extends Error {
  override readonly name = 'HistoryGone';
}

export type WatchLine = { readonly bookmark: string } | { readonly event: WatchEvent };

/** What one line of a watch says. Throws where it says that the watch is over, or says nothing that can be understood. */
export function readWatchLine(line: string, resource: WatchedResource): WatchLine {
  const { type, object } = parseLine(line);
  if (type === 'ERROR') throw readError(object);
  if (type === 'BOOKMARK') {
    const version =
      isFields(object) && isFields(object['metadata']) ? object['metadata']['resourceVersion'] : undefined;
    if (typeof version !== 'string') throw new UnreadableLine('a bookmark of the watch has no resourceVersion');
    return { bookmark: version };
  }
  const known = readObject(object, resource);
  if (known === undefined) throw new UnreadableLine('an object of the watch has no name, uid or resourceVersion');
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED')
    throw new UnreadableLine('the watch sent an event of an unknown type');
  return { event: { type, object: known } };
}

export function versionOf(line: WatchLine): string {
  return 'bookmark' in line ? line.bookmark : line.event.object.metadata.resourceVersion;
}

function parseLine(line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // The parser quotes what it stumbled over, and that may be part of a Secret: the cause stays out.
    throw new UnreadableLine(`a line of the watch (${line.length} characters) is not JSON`);
  }
  if (!isFields(value)) throw new UnreadableLine('a line of the watch is not an object');
  return value;
}

function readError(status: unknown): Error {
  const code = isFields(status) && typeof status['code'] === 'number' ? status['code'] : 500;
  const answer = new UnexpectedAnswer(code, status);
  return code === 410 ? new HistoryGone(answer.message, { cause: answer }) : answer;
}
