import { withSuffix } from '../core/object-name.ts';
import type { Component } from './component.ts';
import { holds, type SeenSnapshot } from './snapshot.ts';

export type SnapshotChoice =
  /** One that holds the state is there. */
  | { readonly kind: 'found'; readonly name: string }
  | { readonly kind: 'create'; readonly name: string }
  /** Every name that it could have belongs to another one. */
  | { readonly kind: 'taken'; readonly name: string };

/** It may become the value of a label. */
const longestName = 63;

/** What a Snapshot of this state may be called, the best name first. */
export function snapshotNames(application: string, digest: string): readonly [string, string] {
  const withDigits = (digits: number) => withSuffix(application, `-${digest.slice(0, digits)}`, longestName);
  return [withDigits(10), withDigits(20)];
}

/**
 * Chooses the Snapshot of a state. A state that is there already is not made again, whoever made it: of several, the one
 * that we would make, else the first by name.
 */
export function chooseSnapshot(
  existing: readonly SeenSnapshot[],
  built: readonly Component[],
  application: { readonly name: string; readonly uid: string },
  digest: string,
): SnapshotChoice {
  const names = snapshotNames(application.name, digest);
  const found = existing.filter((one) => holds(one, built, application)).map(({ name }) => name);
  const best = names.find((name) => found.includes(name)) ?? found.toSorted()[0];
  if (best !== undefined) return { kind: 'found', name: best };
  const free = names.find((name) => existing.every((one) => one.name !== name));
  return free === undefined ? { kind: 'taken', name: names[0] } : { kind: 'create', name: free };
}
