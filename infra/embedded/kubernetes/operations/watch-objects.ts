import type { ApiObject } from '../api-object.ts';
import type { StoreEvent } from '../internal-api.ts';
import { apiVersionOf } from '../kinds/served-kind.ts';
import { expired, invalid, type Status } from '../status-error.ts';
import { readCount, readVersion, selectorOf } from './list-objects.ts';
import type { Call, Machinery } from './machinery.ts';
import type { Selector } from './selectors.ts';

/** Where the lines of a watch go. */
export interface WatchSink {
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK', object: ApiObject): void;
  error(status: Status): void;
  end(): void;
}

/** Bookmarks let a client that sees nothing happen keep up with the revision it may resume from. */
const BookmarkMs = 60_000;
/** The last bookmark comes so long before the end. */
const FarewellMs = 2_000;
/** A watch without a time-out of its own ends after half an hour or more, so that clients spread anew. */
const ShortestMs = 1_800_000;

/** What is wrong with the query is refused at once; the watch itself begins when it is given its sink. */
export function openWatch(machinery: Machinery, call: Call, query: URLSearchParams): (sink: WatchSink) => () => void {
  const plan: Plan = {
    selects: selectorOf(query, call.kind),
    start: readStart(query),
    lifeMs: readLifetime(query, machinery.random),
    wantsBookmarks: query.get('allowWatchBookmarks') === 'true',
  };
  return (sink) => follow(machinery, call, plan, sink);
}

interface Plan {
  readonly selects: Selector;
  readonly start: { readonly revision?: number; readonly marksEnd: boolean };
  readonly lifeMs: number;
  readonly wantsBookmarks: boolean;
}

/** Follows a kind from the revision that was named, or from the present state. Returns what ends it early. */
function follow(machinery: Machinery, call: Call, plan: Plan, sink: WatchSink): () => void {
  const { store, clock } = machinery;
  const { kind, attributes } = call;
  const { selects, start, lifeMs, wantsBookmarks } = plan;
  const inScope = (object: ApiObject) =>
    (!kind.namespaced || attributes.namespace === '' || object.metadata.namespace === attributes.namespace) &&
    (attributes.name === '' || object.metadata.name === attributes.name);
  const isWanted: Selector = (object) => inScope(object) && selects(object);
  const missed = start.revision === undefined ? [] : store.eventsAfter(kind.storage, start.revision);
  if (missed === undefined) {
    sink.error(expired(`too old resource version: ${start.revision} (${store.revision})`).status);
    sink.end();
    return () => {};
  }

  // A client may name a revision that is still to come: it gets what happens after that.
  let seen = Math.max(start.revision ?? 0, 0);
  let isOver = false;
  const stops: (() => void)[] = [];
  const unsubscribe = store.subscribe(tell, kind.storage);
  stops.push(unsubscribe);
  if (start.revision === undefined) present();
  else for (const event of missed) tell(event);
  if (wantsBookmarks) {
    bookmarkLater();
    // A client that is sent away should know from where it may go on.
    if (lifeMs > FarewellMs) stops.push(clock.after(lifeMs - FarewellMs, () => bookmark()));
  }
  stops.push(clock.after(lifeMs, end));
  return end;

  function present(): void {
    store.settle();
    seen = store.revision;
    for (const object of store.list(kind.storage)) if (isWanted(object)) sink.event('ADDED', object);
    if (start.marksEnd) bookmark({ 'k8s.io/initial-events-end': 'true' });
  }

  function tell(event: StoreEvent): void {
    if (isOver || event.revision <= seen) return;
    seen = event.revision;
    const { object, previous } = event;
    const is = event.type !== 'DELETED' && isWanted(object);
    const was = previous !== undefined && isWanted(previous);
    if (is) sink.event(was ? 'MODIFIED' : 'ADDED', object);
    else if (was) sink.event('DELETED', event.type === 'DELETED' ? object : asOf(previous, event.revision));
  }

  function bookmarkLater(): void {
    const cancel = clock.after(BookmarkMs, () => {
      stops.splice(stops.indexOf(cancel), 1);
      bookmark();
      bookmarkLater();
    });
    stops.push(cancel);
  }

  function bookmark(annotations?: Record<string, string>): void {
    const resourceVersion = String(Math.max(seen, store.toldRevision));
    sink.event('BOOKMARK', {
      kind: kind.kind,
      apiVersion: apiVersionOf(kind),
      metadata: { resourceVersion, ...(annotations === undefined ? {} : { annotations }) },
    });
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    for (const stop of stops.splice(0)) stop();
    sink.end();
  }
}

/** The state of an object that has just left the selection, under the revision at which it did. */
function asOf(object: ApiObject, revision: number): ApiObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

function readStart(query: URLSearchParams): { readonly revision?: number; readonly marksEnd: boolean } {
  const asked = query.get('resourceVersion') ?? '';
  const initial = query.get('sendInitialEvents');
  const match = query.get('resourceVersionMatch') ?? '';
  if (initial !== null && match !== 'NotOlderThan') {
    throw listOptions(
      'FieldValueForbidden',
      'resourceVersionMatch',
      'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    );
  }
  if (initial === null && match !== '') {
    throw listOptions(
      'FieldValueForbidden',
      'resourceVersionMatch',
      'Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    );
  }
  if (initial === 'true' || asked === '' || asked === '0') {
    if (asked !== '') readVersion(asked);
    return { marksEnd: initial === 'true' };
  }
  return { revision: readVersion(asked), marksEnd: false };
}

function listOptions(reason: 'FieldValueForbidden', field: string, message: string): Error {
  return invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [{ reason, field, message }]);
}

function readLifetime(query: URLSearchParams, random: () => number): number {
  const seconds = readCount(query.get('timeoutSeconds'));
  return seconds > 0 ? seconds * 1000 : ShortestMs * (1 + random());
}
