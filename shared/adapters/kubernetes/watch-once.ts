import type { ClusterConnection } from './connection.ts';
import type { Pace } from './pace.ts';
import { readLines } from './read-lines.ts';
import { HistoryGone, readWatchLine, type WatchLine } from './watch-line.ts';
import { pathOf, type WatchedResource } from './watched-object.ts';

interface WatchOnceSettings {
  readonly connection: Pick<ClusterConnection, 'stream'>;
  readonly resource: WatchedResource;
  readonly from: string;
  readonly silenceMs: number;
  readonly pace: Pick<Pace, 'now' | 'random' | 'sleep'>;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  /** Any byte came. */
  readonly onContact: () => void;
  /** Reading goes on when it resolves: who is slow here slows the server down, and nothing piles up with us. */
  readonly onLine: (line: WatchLine) => Promise<void> | undefined;
}

/** One watch, from its opening to its end. Returns where the server closed it in good order, throws where anything else ended it. */
export async function watchOnce(settings: WatchOnceSettings): Promise<void> {
  const { connection, resource, from, silenceMs, pace, signal } = settings;
  const query = new URLSearchParams({ watch: '1', allowWatchBookmarks: 'true', resourceVersion: from });
  // Spread over five to ten minutes, so that the watches of many hosts do not end together.
  query.set('timeoutSeconds', String(300 + Math.floor(pace.random() * 300)));
  if (resource.labelSelector !== undefined) query.set('labelSelector', resource.labelSelector);
  if (resource.fieldSelector !== undefined) query.set('fieldSelector', resource.fieldSelector);
  const headers: Record<string, string> = resource.metadataOnly
    ? { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' }
    : {};

  const watching = new AbortController();
  const end = () => watching.abort();
  signal.addEventListener('abort', end, { once: true });
  let heardAt = pace.now();
  let busy = false;
  let silent = false;

  function heard(): void {
    heardAt = pace.now();
    settings.onContact();
  }

  async function guardAgainstSilence(): Promise<void> {
    while (!watching.signal.aborted) {
      // While we do not read, silence is ours.
      const quiet = busy ? 0 : pace.now() - heardAt;
      silent = quiet >= silenceMs;
      if (silent) watching.abort();
      else await pace.sleep(silenceMs - quiet, watching.signal);
    }
  }

  try {
    const path = `${pathOf(resource)}?${query}`;
    const { status, chunks } = await connection.stream(path, { headers, signal: watching.signal, accept: [404, 410] });
    if (status === 410) throw new HistoryGone('the server no longer knows what came after our last event');
    if (status === 404) throw new HistoryGone('the kind is no longer served');
    settings.onOpen();
    heard();
    void guardAgainstSilence();
    for await (const text of readLines(tap(chunks, heard))) {
      const wait = settings.onLine(readWatchLine(text, resource));
      if (wait === undefined) continue;
      busy = true;
      await wait;
      busy = false;
      heard();
    }
  } catch (error) {
    throw silent ? new Error(`nothing was heard for ${silenceMs / 1_000} s`, { cause: error }) : error;
  } finally {
    signal.removeEventListener('abort', end);
    watching.abort();
  }
}

async function* tap<Item>(items: AsyncIterable<Item>, note: () => void): AsyncGenerator<Item> {
  for await (const item of items) {
    note();
    yield item;
  }
}
