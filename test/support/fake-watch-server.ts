import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FakeObject, type HistoryEntry, openFakeWatchStore, type StoredObject } from './fake-watch-store.ts';

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly kind: 'list' | 'watch' | 'get' | 'other';
}

interface OpenWatch {
  readonly collection: string;
  readonly namespace: string | undefined;
  readonly response: ServerResponse;
  silent: boolean;
}

/**
 * A small API server that lists and watches, and misbehaves on command. Collections are named by their path without a
 * namespace (`/apis/example.com/v1/things`); one that nothing was put into and that was not installed is not found.
 */
export async function startFakeWatchServer() {
  const watches = new Set<OpenWatch>();
  const requests: SeenRequest[] = [];
  const waiters = new Set<() => void>();
  /** What is left of lists that were read in part: all pages of one show one moment. */
  const snapshots = new Map<string, { version: number; rest: readonly StoredObject[] }>();
  const store = openFakeWatchStore(publish);
  let failures: { left: number; status: number; only: SeenRequest['kind'] | undefined } = {
    left: 0,
    status: 500,
    only: undefined,
  };
  let goneAs: 'status' | 'event' = 'event';
  let port = 0;

  const server = createServer(answer);
  await listen();

  async function listen(): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://fake');
    const place = readPlace(url.pathname);
    const kind =
      place === undefined
        ? 'other'
        : place.name !== undefined
          ? 'get'
          : url.searchParams.has('watch')
            ? 'watch'
            : 'list';
    requests.push({
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      kind,
    });
    if (failures.left > 0 && (failures.only === undefined || failures.only === kind)) {
      failures.left -= 1;
      sendStatus(response, failures.status, 'InternalError', 'the fake was told to fail');
    } else if (place === undefined || !store.isInstalled(place.collection)) {
      sendStatus(response, 404, 'NotFound', 'the server could not find the requested resource');
    } else if (place.name !== undefined) {
      const found = store.get(place.collection, {
        name: place.name,
        ...(place.namespace !== undefined && { namespace: place.namespace }),
      });
      if (found === undefined) sendStatus(response, 404, 'NotFound', `${place.name} not found`);
      else send(response, 200, found);
    } else if (kind === 'watch') watch(place, url.searchParams, response);
    else list(place, url.searchParams, response);
    wake();
  }

  function list({ collection, namespace }: Place, query: URLSearchParams, response: ServerResponse): void {
    const token = query.get('continue');
    const snapshot =
      token === null ? { version: store.version, rest: store.list(collection, namespace) } : snapshots.get(token);
    if (snapshot === undefined) {
      sendStatus(response, 410, 'Expired', 'The provided continue parameter is too old');
      return;
    }
    const { version, rest } = snapshot;
    const limit = Number(query.get('limit') ?? rest.length);
    // Items of a real list have no kind of their own for the kinds of the core group.
    const items = rest.slice(0, limit).map(({ apiVersion: _apiVersion, kind: _kind, ...item }) => item);
    const metadata: Record<string, string> = { resourceVersion: String(version) };
    if (rest.length > limit) {
      metadata['continue'] = `page-${requests.length}`;
      snapshots.set(metadata['continue'], { version, rest: rest.slice(limit) });
    }
    send(response, 200, { kind: 'List', apiVersion: 'v1', metadata, items });
  }

  function watch({ collection, namespace }: Place, query: URLSearchParams, response: ServerResponse): void {
    const from = Number(query.get('resourceVersion') ?? 0);
    const tooOld = from < store.oldest;
    const message = `too old resource version: ${from} (${store.oldest})`;
    const gone = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason: 'Expired', code: 410 };
    if (tooOld && goneAs === 'status') {
      send(response, 410, gone);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (tooOld) {
      response.end(`${JSON.stringify({ type: 'ERROR', object: gone })}\n`);
      return;
    }
    const open: OpenWatch = { collection, namespace, response, silent: false };
    watches.add(open);
    response.on('close', () => {
      watches.delete(open);
      wake();
    });
    for (const entry of store.since(collection, from)) write(open, entry);
  }

  function publish(entry: HistoryEntry): void {
    for (const open of watches) if (open.collection === entry.collection) write(open, entry);
  }

  function write(open: OpenWatch, { type, object }: Pick<HistoryEntry, 'type' | 'object'>): void {
    const inScope = open.namespace === undefined || open.namespace === object.metadata.namespace;
    if (inScope && !open.silent) open.response.write(`${JSON.stringify({ type, object })}\n`);
  }

  function wake(): void {
    for (const waiter of waiters) waiter();
  }

  /** Resolves as soon as it holds; looked at whenever a request comes or a watch ends. */
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        const waiter = () => {
          waiters.delete(waiter);
          resolve();
        };
        waiters.add(waiter);
      });
    }
  }

  async function leave(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  return {
    url: `http://127.0.0.1:${port}`,
    requests: requests as readonly SeenRequest[],
    get version() {
      return String(store.version);
    },
    get openWatches() {
      return watches.size;
    },
    install: store.install,
    uninstall: store.uninstall,
    put: (collection: string, object: FakeObject): StoredObject => store.put(collection, object),
    remove: store.remove,
    until,
    /** Resolves when so many watches of the collection are open and heard. */
    watching: (collection: string, count = 1) =>
      until(() => [...watches].filter((open) => open.collection === collection && !open.silent).length >= count),
    /** Every watch from an older version ends with 410, told by the status of the answer or, as real ones mostly do, by an event. */
    expireHistory({ as = 'event' }: { as?: 'status' | 'event' } = {}): void {
      goneAs = as;
      store.expireHistory();
    },
    /** Lists under way cannot be continued. */
    expireContinue: () => snapshots.clear(),
    fail(times: number, { status = 500, only }: { status?: number; only?: SeenRequest['kind'] } = {}): void {
      failures = { left: times, status, only };
    },
    /** Watches that are open now hear nothing any more, and nobody tells them. */
    goSilent(): void {
      for (const open of watches) open.silent = true;
    },
    /** In good order, as a server does that ends its time. */
    closeWatches(): void {
      for (const open of watches) open.response.end();
      watches.clear();
    },
    dropWatches(): void {
      for (const open of watches) open.response.destroy();
      watches.clear();
    },
    /** Writes as it is into every open watch. */
    emit(text: string): void {
      for (const open of watches) open.response.write(text);
    },
    bookmark(version = String(store.version)): void {
      for (const { response, silent } of watches) {
        if (!silent)
          response.write(
            `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: version } } })}\n`,
          );
      }
    },
    /** Nobody answers at the address until it comes back; the objects stay. */
    goAway: leave,
    comeBack: listen,
    async stop(): Promise<void> {
      if (server.listening) await leave();
    },
  };
}

export type FakeWatchServer = Awaited<ReturnType<typeof startFakeWatchServer>>;

interface Place {
  readonly collection: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

function readPlace(path: string): Place | undefined {
  const match = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?$/.exec(path);
  if (match === null) return undefined;
  return { collection: `${match[1]}/${match[3]}`, namespace: match[2], name: match[4] };
}

function sendStatus(response: ServerResponse, code: number, reason: string, message: string): void {
  send(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
