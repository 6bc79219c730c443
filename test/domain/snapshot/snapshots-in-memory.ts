import type { StoredApplication } from '../../../shared/domain/application/application.ts';
import type { Component } from '../../../shared/domain/snapshot/component.ts';
import { decideSnapshot, isNewState } from '../../../shared/domain/snapshot/decide-snapshot.ts';
import type { SeenComponent } from '../../../shared/domain/snapshot/seen-component.ts';
import { builtComponents, type SeenSnapshot } from '../../../shared/domain/snapshot/snapshot.ts';
import { aComponent, aSight, aSnapshot, digestOf, now, shop } from './a-component.ts';

/** An Application in memory, and how often its Components have changed. */
export interface Place {
  readonly components: Map<string, Component>;
  readonly snapshots: Map<string, SeenSnapshot>;
  /** Empty until something is frozen. */
  row: StoredApplication | undefined;
  moments: number;
  /** The moment of the Components that each state was frozen from, in the order of the states. */
  readonly frozenAt: number[];
  /** Components that were there, and in the state before, and are not in the next. */
  readonly lost: string[];
}

export function aPlace(): Place {
  return { components: new Map(), snapshots: new Map(), row: undefined, moments: 0, frozenAt: [], lost: [] };
}

export function build(place: Place, name: string, version: number): void {
  place.moments += 1;
  place.components.set(name, aComponent(name, { image: version === 0 ? '' : `quay.io/shop/${name}:${version}` }));
}

export function remove(place: Place, name: string): void {
  place.moments += 1;
  place.components.delete(name);
}

/**
 * A step in its single moments, each of which others may come before: the row is read, the Components are listed, the
 * Snapshots are looked for, one is made, the row is written. Whoever stops asking has died. Says whether the row was
 * written, or needed no writing.
 */
export function* look(place: Place, name: string): Generator<void, boolean> {
  const { row } = place;
  yield;
  const [components, moment] = [[...place.components.values()], place.moments];
  yield;
  const component = components.find((one) => one.name === name);
  const listed = aSight(components, {
    component,
    row,
    digest: digestOf(components, shop.name, row?.frozen),
    stored: [],
  });
  const seen: SeenComponent = isNewState(listed) ? { ...listed, existing: [...place.snapshots.values()] } : listed;
  for (const effect of decideSnapshot(seen, { now }).effects) {
    yield;
    if (effect.do === 'create-snapshot') {
      // The API server has one object of a name.
      if (place.snapshots.has(effect.name)) return false;
      place.snapshots.set(
        effect.name,
        aSnapshot(effect.name, builtComponents(components, shop.name, row?.frozen ?? [])),
      );
    } else if (effect.do === 'freeze-state') {
      if ((place.row?.sequence ?? 0) !== effect.sequence - 1) return false;
      place.row = { uid: shop.uid, repository: undefined, ...effect };
      place.frozenAt.push(moment);
      const isThere = (uid: string) => components.some((one) => one.uid === uid);
      const isKept = (uid: string) => effect.frozen.some((one) => one.uid === uid);
      const before = (row?.frozen ?? []).map(({ uid }) => uid);
      place.lost.push(...before.filter((uid) => isThere(uid) && !isKept(uid)));
    }
  }
  return true;
}

/** The images of the newest state. */
export function newest({ row, snapshots }: Place): SeenSnapshot['images'] | undefined {
  return snapshots.get(row?.snapshot ?? '')?.images;
}
