import type { ApiObject } from '../api-object.ts';
import type { StoreEvent } from '../internal-api.ts';

/** Changes remembered per kind, for watches that come back; whoever comes later must list again. */
const HistoryLength = 10_000;

/** All objects of one kind, sorted by namespace and name, and what happened to them lately. */
export class Shelf {
  private readonly objects = new Map<string, ApiObject>();
  private readonly historyLength: number;
  private readonly sorted: string[] = [];
  private history: StoreEvent[] = [];
  /** The first revision after which every change is remembered. */
  private rememberedSince: number;

  constructor(since: number, historyLength: number = HistoryLength) {
    this.rememberedSince = since;
    this.historyLength = historyLength;
  }

  get(namespace: string, name: string): ApiObject | undefined {
    return this.objects.get(keyOf(namespace, name));
  }

  get size(): number {
    return this.objects.size;
  }

  /** Everything, or one namespace, in the order of the API. */
  list(namespace?: string): readonly ApiObject[] {
    const keys = this.sorted;
    if (namespace === undefined) return keys.map((key) => this.objects.get(key) as ApiObject);
    const found: ApiObject[] = [];
    const prefix = `${namespace}/`;
    for (let at = firstAtOrAfter(keys, prefix); at < keys.length; at += 1) {
      const key = keys[at] as string;
      if (!key.startsWith(prefix)) break;
      found.push(this.objects.get(key) as ApiObject);
    }
    return found;
  }

  /** Everything as it was at a revision, or undefined when that is no longer known. */
  listAt(revision: number, namespace?: string): readonly ApiObject[] | undefined {
    const later = this.eventsAfter(revision);
    if (later === undefined) return undefined;
    if (later.length === 0) return this.list(namespace);
    const then = new Map(this.objects);
    for (const { type, object, previous } of later.toReversed()) {
      const key = keyOf(object.metadata.namespace ?? '', object.metadata.name ?? '');
      if (type === 'ADDED') then.delete(key);
      else then.set(key, previous as ApiObject);
    }
    const prefix = namespace === undefined ? '' : `${namespace}/`;
    return [...then.keys()]
      .filter((key) => key.startsWith(prefix))
      .sort()
      .map((key) => then.get(key) as ApiObject);
  }

  /** What happened after a revision, or undefined when not all of it is remembered. */
  eventsAfter(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.rememberedSince) return undefined;
    let [low, high] = [0, this.history.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.history[middle] as StoreEvent).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.history.slice(low);
  }

  apply(event: StoreEvent): void {
    const key = keyOf(event.object.metadata.namespace ?? '', event.object.metadata.name ?? '');
    if (event.type === 'DELETED') {
      if (this.objects.delete(key)) this.sorted.splice(firstAtOrAfter(this.sorted, key), 1);
    } else {
      this.put(key, event.object);
    }
    this.history.push(event);
    // Cut in large pieces: an array is cheap to cut once in a while and dear to shift every time.
    if (this.history.length > 2 * this.historyLength) this.forget(this.history.length - this.historyLength);
  }

  /** Takes an object as it was before anything that is remembered. */
  restore(object: ApiObject): void {
    this.put(keyOf(object.metadata.namespace ?? '', object.metadata.name ?? ''), object);
  }

  private put(key: string, object: ApiObject): void {
    if (!this.objects.has(key)) this.sorted.splice(firstAtOrAfter(this.sorted, key), 0, key);
    this.objects.set(key, object);
  }

  forgetAll(now: number): void {
    this.forget(this.history.length);
    this.rememberedSince = now;
  }

  private forget(count: number): void {
    const last = this.history[count - 1];
    if (last === undefined) return;
    this.rememberedSince = last.revision;
    this.history = this.history.slice(count);
  }
}

function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function firstAtOrAfter(keys: readonly string[], wanted: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
