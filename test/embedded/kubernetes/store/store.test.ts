import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import type { StoreEvent } from '../../../../infra/embedded/kubernetes/internal-api.ts';
import { Store } from '../../../../infra/embedded/kubernetes/store/store.ts';

const storage = 'configmaps';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the store of the embedded API server', () => {
  it('counts every change of every kind with one revision, which becomes the resourceVersion', () => {
    const store = new Store({});

    const first = store.put('configmaps', made('a', 'one'));
    const second = store.put('secrets', made('a', 'one'));

    expect([first, second].map(({ metadata }) => metadata.resourceVersion)).toEqual(['1', '2']);
    expect(store.revision).toBe(2);
  });

  it('lists by namespace and name, bytes first, whatever the order of writing', () => {
    const store = new Store({});
    for (const [namespace, name] of [
      ['a', 'z'],
      ['a-b', 'y'],
      ['a', 'b'],
      ['B', 'x'],
    ] as const) {
      store.put(storage, made(namespace, name));
    }

    const all = store.list(storage).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

    expect(all).toEqual(['B/x', 'a-b/y', 'a/b', 'a/z']);
    expect(store.list(storage, 'a').map(({ metadata }) => metadata.name)).toEqual(['b', 'z']);
  });

  it('shows a list as it was at an earlier revision, with what was added, changed and deleted since undone', () => {
    const store = new Store({});
    store.put(storage, made('a', 'stays'));
    const doomed = store.put(storage, made('a', 'goes'));
    const then = store.revision;
    store.remove(storage, doomed);
    store.put(storage, made('a', 'comes'));
    store.put(storage, { ...made('a', 'stays'), data: { changed: 'yes' } });

    const past = store.listAt(storage, then) ?? [];

    expect(past.map(({ metadata }) => metadata.name)).toEqual(['goes', 'stays']);
    expect(past[1]?.['data']).toBeUndefined();
  });

  it('tells every change once, in order, after it was made', async () => {
    const store = new Store({ folder });
    const told: StoreEvent[] = [];
    store.subscribe((event) => told.push(event));

    const one = store.put(storage, made('a', 'one'));
    store.put(storage, { ...made('a', 'one'), data: { b: 'c' } });
    store.remove(storage, one);
    expect(told).toEqual([]);
    await store.safe();

    expect(told.map(({ type, revision }) => `${type} ${revision}`)).toEqual(['ADDED 1', 'MODIFIED 2', 'DELETED 3']);
    expect(told[2]?.object.metadata.resourceVersion).toBe('3');
    store.close();
  });

  it('forgets what lies too far back, and says so instead of skipping it', () => {
    const store = new Store({ historyLength: 3 });
    for (let at = 0; at < 7; at += 1) store.put(storage, made('a', `o${at}`));

    expect(store.eventsAfter(storage, 1)).toBeUndefined();
    expect(store.eventsAfter(storage, 5)?.map(({ revision }) => revision)).toEqual([6, 7]);
    expect(store.listAt(storage, 1)).toBeUndefined();
  });

  it('comes back from its journal with every object, its history and its revision', async () => {
    const before = new Store({ folder });
    before.put(storage, made('a', 'one'));
    const two = before.put(storage, made('a', 'two'));
    before.remove(storage, two);
    await before.safe();

    const after = new Store({ folder });

    expect(after.list(storage).map(({ metadata }) => metadata.name)).toEqual(['one']);
    expect(after.eventsAfter(storage, 1)?.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
    expect(after.put(storage, made('a', 'three')).metadata.resourceVersion).toBe('4');
    before.close();
    after.close();
  });

  it('cuts off half a line that a killed process left', async () => {
    const before = new Store({ folder });
    before.put(storage, made('a', 'one'));
    await before.safe();
    before.close();
    appendFileSync(join(folder, 'journal.log'), '{"in":"configmaps","put":{"apiV');

    const after = new Store({ folder });

    expect(after.list(storage)).toHaveLength(1);
    after.close();
  });

  it('keeps objects, deletions and history right through a rewriting of its journal', async () => {
    const before = new Store({ folder, compactAboveBytes: 40_000 });
    const doomed = before.put(storage, made('z', 'doomed'));
    for (let at = 0; at < 600; at += 1) {
      before.put(storage, { ...made('a', `o${at % 50}`), data: { filler: 'x'.repeat(200) } });
      if (at === 590) before.remove(storage, doomed);
      if (at % 100 === 0) await before.safe();
    }
    await before.safe();
    // The rewriting goes on in slices, one a turn.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await before.safe();
    before.close();

    const after = new Store({ folder });

    expect(readFileSync(join(folder, 'journal.log'), 'utf8')).toContain('"base":');
    expect(after.revision).toBe(before.revision);
    expect(after.list(storage).map(({ metadata }) => metadata.resourceVersion)).toEqual(
      before.list(storage).map(({ metadata }) => metadata.resourceVersion),
    );
    expect(after.get({ storage, namespace: 'z', name: 'doomed' })).toBeUndefined();
    after.close();
  });
});

function made(namespace: string, name: string): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } };
}
