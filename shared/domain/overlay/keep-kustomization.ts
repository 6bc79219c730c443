import { type Fields, isFields } from '../core/fields.ts';
import { kustomizationHead } from './kustomization-file.ts';

/** The entries of a kustomization by the lists that we share with the user. */
export interface Entries {
  readonly resources: readonly string[];
  readonly patches: readonly Fields[];
  readonly images: readonly Fields[];
  readonly replicas: readonly Fields[];
}

/** Which entries of a kustomization are ours, wherever they stand. */
export interface Owned {
  /** One of our files, or a base that we listed. */
  isPath(relative: string): boolean;
  /** The component, as the name to be replaced by its image. */
  readonly image: string;
  isWorkload(name: unknown): boolean;
}

/** What of a kustomization is the user's. */
export interface Kept extends Entries {
  /** Every other field, as it was. */
  readonly others: Fields;
}

/** In the order in which they are written. */
const listNames = ['resources', 'patches', 'images', 'replicas'] as const satisfies readonly (keyof Entries)[];

/** Tells the user's part of a kustomization from ours. Undefined: its lists are not what kustomize expects there. */
export function keepOf(existing: Fields, owned: Owned): Kept | undefined {
  const { resources, bases, patches, images, replicas, ...others } = existing;
  const [paths, basePaths] = [listOf(resources, isText), listOf(bases, isText)];
  const [imageList, replicaList] = [listOf(images, isFields), listOf(replicas, isFields)];
  const patchList = listOf(patches, isPatch);
  if (!paths || !basePaths || !patchList || !imageList || !replicaList) return undefined;
  const keptBases = basePaths.filter((path) => !owned.isPath(path));
  return {
    resources: paths.filter((path) => !owned.isPath(path)),
    // Before kustomize 5 an entry could be a bare path.
    patches: patchList
      .map((patch) => (isText(patch) ? { path: patch } : patch))
      .filter(({ path }) => !isText(path) || !owned.isPath(path)),
    images: imageList.filter(({ name }) => name !== owned.image),
    replicas: replicaList.filter(({ name }) => !owned.isWorkload(name)),
    others: { ...others, ...(keptBases.length > 0 && { bases: keptBases }) },
  };
}

/** Ours first, so that a patch of the user's has the last word. */
export function writeEntries(ours: Partial<Entries>, kept: Kept): Fields {
  const lists = listNames.map((name) => [name, [...(ours[name] ?? []), ...kept[name]]] as const);
  return {
    ...kustomizationHead,
    ...Object.fromEntries(lists.filter(([, list]) => list.length > 0)),
    ...kept.others,
  };
}

/** Nothing in it was written by a user. */
export function isNothing(kept: Kept): boolean {
  const { apiVersion: _, kind: __, ...others } = kept.others;
  return Object.keys(others).length === 0 && listNames.every((name) => kept[name].length === 0);
}

function listOf<Item>(value: unknown, is: (item: unknown) => item is Item): readonly Item[] | undefined {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && value.every(is) ? value : undefined;
}

function isPatch(value: unknown): value is string | Fields {
  return isText(value) || isFields(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
