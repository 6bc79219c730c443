import { Journal } from '../../journal.ts';
import type { ApiObject } from '../api-object.ts';
import type { ObjectKey, StoreEvent, StoreReader } from '../internal-api.ts';
import { objectText } from './object-text.ts';
import { Shelf } from './shelf.ts';

/**
 * One line of the journal. `base` begins a compacted file: nothing before that revision is remembered but the objects
 * themselves. Every entry says how things are afterwards, so that reading one twice does no harm.
 */
type Entry =
  | { readonly base: number }
  | { readonly in: string; readonly put: ApiObject }
  | { readonly in: string; readonly gone: ApiObject; readonly at: number };

type Listener = (event: StoreEvent) => void;

interface StoreOptions {
  /** Where the journal is kept; without a folder everything is in memory only, as a simulation wants it. */
  readonly folder?: string | undefined;
  readonly compactAboveBytes?: number | undefined;
  readonly historyLength?: number | undefined;
}

/** Every object of the cluster under one counter of revisions. Changes are made at once; they are told when they are on disk. */
export class Store implements StoreReader {
  private readonly shelves = new Map<string, Shelf>();
  private readonly listeners = new Set<Listener>();
  private readonly listenersOf = new Map<string, Set<Listener>>();
  private readonly journal: Journal<Entry> | undefined;
  private readonly historyLength: number | undefined;
  private untold: StoreEvent[] = [];
  private last = 0;
  private lastTold = 0;
  private base = 0;

  constructor(options: StoreOptions) {
    this.historyLength = options.historyLength;
    if (options.folder === undefined) return;
    this.journal = new Journal<Entry>({
      folder: options.folder,
      owner: 'the embedded API server',
      compactAboveBytes: options.compactAboveBytes,
      encode: encodeEntry,
      snapshot: () => this.snapshot(),
      beforeWrite: () => {},
    });
    this.journal.load((entry) => this.replay(entry));
    this.lastTold = this.last;
  }

  /** The revision of the latest change anywhere. */
  get revision(): number {
    return this.last;
  }

  /** Everything up to this revision has been told to those who listen. */
  get toldRevision(): number {
    return this.lastTold;
  }

  get(key: ObjectKey): ApiObject | undefined {
    return this.shelves.get(key.storage)?.get(key.namespace, key.name);
  }

  list(storage: string, namespace?: string): readonly ApiObject[] {
    return this.shelves.get(storage)?.list(namespace) ?? [];
  }

  listAt(storage: string, revision: number, namespace?: string): readonly ApiObject[] | undefined {
    return this.shelf(storage).listAt(revision, namespace);
  }

  /** What happened to a kind after a revision, or undefined when not all of it is remembered. */
  eventsAfter(storage: string, revision: number): readonly StoreEvent[] | undefined {
    return this.shelf(storage).eventsAfter(revision);
  }

  storages(): readonly string[] {
    return [...this.shelves.keys()];
  }

  subscribe(listener: Listener, storage?: string): () => void {
    if (storage === undefined) {
      this.listeners.add(listener);
      return () => this.listeners.delete(listener);
    }
    const those = this.listenersOf.get(storage) ?? new Set();
    this.listenersOf.set(storage, those.add(listener));
    return () => those.delete(listener);
  }

  /** Stores a new object or a new state of one, and gives it its resourceVersion. The object is the store's from now on. */
  put(storage: string, object: ApiObject): ApiObject {
    const { namespace = '', name = '' } = object.metadata;
    const previous = this.get({ storage, namespace, name });
    object.metadata.resourceVersion = String(this.last + 1);
    this.commit(
      previous === undefined
        ? { type: 'ADDED', storage, revision: this.last + 1, object }
        : { type: 'MODIFIED', storage, revision: this.last + 1, object, previous },
      { in: storage, put: object },
    );
    return object;
  }

  /** Takes an object out. Its last state is told, under the revision of its removal. */
  remove(storage: string, previous: ApiObject): ApiObject {
    const revision = this.last + 1;
    const object = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(revision) } };
    this.commit({ type: 'DELETED', storage, revision, object, previous }, { in: storage, gone: object, at: revision });
    return object;
  }

  /** Resolves when everything until now has reached the disk, so that `kill -9` cannot take it back. */
  safe(): Promise<void> {
    const { journal } = this;
    if (journal === undefined) return Promise.resolve();
    return new Promise((resolve, reject) => {
      journal.afterWrite((failure) => (failure === undefined ? resolve() : reject(failure)));
    });
  }

  /** Writes what is not yet written: nobody may read what a `kill -9` could still take back. */
  settle(): void {
    if (this.untold.length > 0) this.journal?.flush();
  }

  /** As if the past had been compacted away: every watch and every page that goes back before now must begin anew. */
  compact(): void {
    this.base = this.last;
    for (const shelf of this.shelves.values()) shelf.forgetAll(this.last);
  }

  close(): void {
    this.journal?.close();
  }

  private commit(event: StoreEvent, entry: Entry): void {
    this.last = event.revision;
    this.shelf(event.storage).apply(event);
    this.untold.push(event);
    if (this.journal !== undefined) this.journal.append(entry);
    if (this.untold.length > 1) return;
    if (this.journal === undefined) queueMicrotask(() => this.tell());
    else this.journal.afterWrite(() => this.tell());
  }

  private tell(): void {
    const events = this.untold;
    this.untold = [];
    this.lastTold = events.at(-1)?.revision ?? this.lastTold;
    for (const event of events) {
      for (const listener of this.listenersOf.get(event.storage) ?? []) listener(event);
      for (const listener of this.listeners) listener(event);
    }
  }

  private shelf(storage: string): Shelf {
    let shelf = this.shelves.get(storage);
    if (shelf === undefined) {
      shelf = new Shelf(this.base, this.historyLength);
      this.shelves.set(storage, shelf);
    }
    return shelf;
  }

  private replay(entry: Entry): void {
    if ('base' in entry) {
      this.base = entry.base;
      this.last = Math.max(this.last, entry.base);
      return;
    }
    const object = 'put' in entry ? entry.put : entry.gone;
    const { namespace = '', name = '', resourceVersion } = object.metadata;
    const revision = 'at' in entry ? entry.at : Number(resourceVersion);
    const shelf = this.shelf(entry.in);
    const previous = shelf.get(namespace, name);
    // A snapshot and the changes made while it was written overlap.
    if (revision <= Number(previous?.metadata.resourceVersion ?? 0)) return;
    if (revision <= this.base) shelf.restore(object);
    else if ('at' in entry) {
      // While a snapshot is written an object may go before its turn comes: its end is told all the same.
      shelf.apply({ type: 'DELETED', storage: entry.in, revision, object, previous: previous ?? object });
    } else if (previous === undefined) shelf.apply({ type: 'ADDED', storage: entry.in, revision, object });
    else shelf.apply({ type: 'MODIFIED', storage: entry.in, revision, object, previous });
    this.last = Math.max(this.last, revision);
  }

  private *snapshot(): Generator<Entry> {
    // The lists are taken at once, so that all of them belong to this revision; they are written in slices.
    const lists = [...this.shelves].map(([storage, shelf]) => [storage, shelf.list()] as const);
    yield { base: this.last };
    for (const [storage, objects] of lists) {
      for (const object of objects) {
        const { namespace = '', name = '' } = object.metadata;
        // What is gone by now must not come back: the entry of its removal may stand before this one.
        if (this.get({ storage, namespace, name }) !== undefined) yield { in: storage, put: object };
      }
    }
  }
}

function encodeEntry(entry: Entry): string {
  if ('base' in entry) return JSON.stringify(entry);
  const name = JSON.stringify(entry.in);
  return 'put' in entry
    ? `{"in":${name},"put":${objectText(entry.put)}}`
    : `{"in":${name},"gone":${objectText(entry.gone)},"at":${entry.at}}`;
}
