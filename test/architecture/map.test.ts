import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadFunction } from '../../infra/host/load-functions.ts';
import { type MapEntry, readMap, type ServiceMap } from '../../infra/map.ts';
import { catalog } from '../../shared/contracts/catalog.ts';
import { interests } from '../../shared/domain/core/interest.ts';
import { root } from './source-file.ts';

const map = readMap();
const known = catalog.map(({ type }) => type);

/** What a function says of itself. */
interface Door {
  readonly name: string;
  readonly consumes?: readonly string[];
  readonly emits: readonly string[];
  /** Where it answers people, if it does. */
  readonly at?: string;
}

describe('the map agrees with the code', () => {
  it('names every folder of functions/, and nothing else', () => {
    expect(map.functions.map(({ name }) => name).sort()).toEqual(readdirSync(join(root, 'functions')).sort());
  });

  it.each(map.functions.map((entry) => [entry.name, entry] as const))('%s', async (_name, entry) => {
    const door = await loadFunction(entry, root);

    expect(disagreements(entry, door)).toEqual([]);
  });

  it.each<[string, Partial<Door & MapEntry>, Partial<Door>]>([
    ['another name', {}, { name: 'bind-target' }],
    ['another export', { handler: 'functions/bind-claim/index.bind' }, {}],
    ['another file', { handler: 'functions/run-sync/index.bindClaim' }, {}],
    ['a message that the map does not bring', {}, { consumes: ['claim.changed.v1', 'class.changed.v1'] }],
    ['a message that the code does not take', { consumes: ['claim.changed.v1', 'class.changed.v1'] }, {}],
    ['a message that the map does not announce', {}, { emits: ['target.changed.v1'] }],
    ['a message that the code does not send', { emits: ['target.changed.v1'] }, {}],
    ['a page where the code has none', { page: '/console' }, {}],
    ['a page that the map does not place', {}, { at: '/console' }],
    ['a schedule where the code waits for messages', { trigger: 'schedule' }, {}],
    ['a queue where the code answers HTTP', {}, { rehearse: undefined } as Partial<Door>],
  ])('%s is a disagreement', (_what, ofEntry, ofDoor) => {
    const entry = { ...aQueueFunction('bind-claim', ['claim.changed.v1'], []), ...ofEntry };
    const door = {
      name: 'bind-claim',
      consumes: ['claim.changed.v1'],
      emits: [],
      rehearse: () => undefined,
      ...ofDoor,
    };

    expect(disagreements(entry, door)).toHaveLength(1);
  });
});

describe('every message', () => {
  it('is in the catalog, wherever the map or the interest table names it', () => {
    expect(unknownTypes(map, interests)).toEqual([]);
    expect(
      unknownTypes(aMap([aQueueFunction('run-sync', ['sync.wanted.v1'], ['sync.done.v1'])]), [
        { wakes: 'sync.seen.v1' },
      ]),
    ).toEqual(['sync.wanted.v1', 'sync.done.v1', 'sync.seen.v1']);
  });

  it('that is consumed is emitted by somebody', () => {
    expect(neverEmitted(map)).toEqual([]);
    expect(neverEmitted(aMap([aQueueFunction('run-sync', ['sync-run.changed.v1'], [])]))).toEqual([
      'sync-run.changed.v1',
    ]);
  });

  it('that is emitted is consumed by somebody, or stands in the list of the unclaimed', () => {
    expect(map.unclaimed.toSorted()).toEqual(emittedForNobody(map));
    expect(
      emittedForNobody(
        aMap([
          aQueueFunction('run-sync', ['a.changed.v1'], ['b.changed.v1']),
          aQueueFunction('bind-claim', ['b.changed.v1'], ['a.changed.v1', 'c.changed.v1']),
        ]),
      ),
    ).toEqual(['c.changed.v1']);
  });
});

function disagreements(entry: MapEntry, door: Door): string[] {
  const exported = entry.name.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
  const handler = `functions/${entry.name}/index.${exported}`;
  const kind = 'tick' in door ? 'schedule' : 'rehearse' in door && door.rehearse !== undefined ? 'queue' : 'http';
  return [
    door.name !== entry.name && `the code calls it ${door.name}`,
    entry.handler !== handler && `its handler is ${handler}, not ${entry.handler}`,
    kind !== entry.trigger && `the code is woken by ${kind}, the map says ${entry.trigger}`,
    door.at !== entry.page && `the code answers at ${door.at}, the map says ${entry.page}`,
    !isSame(door.consumes ?? [], entry.consumes ?? []) &&
      `the code consumes ${door.consumes?.join(', ')}, the map says ${entry.consumes?.join(', ')}`,
    !isSame(door.emits, entry.emits) &&
      `the code emits ${door.emits.join(', ')}, the map says ${entry.emits.join(', ')}`,
  ].filter((complaint) => complaint !== false);
}

function unknownTypes({ functions, unclaimed }: ServiceMap, table: readonly { readonly wakes: string }[]): string[] {
  const named = [
    ...functions.flatMap(({ consumes = [], emits }) => [...consumes, ...emits]),
    ...unclaimed,
    ...table.map(({ wakes }) => wakes),
  ];
  return [...new Set(named)].filter((type) => !known.includes(type));
}

function neverEmitted({ functions }: ServiceMap): string[] {
  const emitted = functions.flatMap(({ emits }) => emits);
  return functions.flatMap(({ consumes = [] }) => consumes).filter((type) => !emitted.includes(type));
}

function emittedForNobody({ functions }: ServiceMap): string[] {
  const consumed = functions.flatMap(({ consumes = [] }) => consumes);
  return [...new Set(functions.flatMap(({ emits }) => emits))].filter((type) => !consumed.includes(type)).sort();
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join();
}

function aMap(functions: readonly MapEntry[]): ServiceMap {
  return { service: 'fixture', functions, unclaimed: [] };
}

function aQueueFunction(name: string, consumes: string[], emits: string[]): MapEntry {
  return {
    name,
    handler: `functions/${name}/index.${name === 'bind-claim' ? 'bindClaim' : 'runSync'}`,
    description: 'A fixture',
    impact: 'Nobody suffers',
    timeout: 10,
    trigger: 'queue',
    consumes,
    emits,
    needs: [],
    serial: 'fixture:{namespace}/{name}',
    maxReceiveCount: 8,
  };
}
