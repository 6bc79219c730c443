import { compareElements } from './path-element.ts';

/**
 * A set of fields in the very form that `fieldsV1` has on the wire, so that an unchanged entry is never decoded.
 * A key is a path element; a node without keys is a member of the set; a node with keys is a member only when one of
 * them is `.`. Keys stand in canonical order. The root itself is never a member.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

export const noFields: FieldSet = Object.freeze({});
const leaf = noFields;

function hasNoKeys(node: FieldSet): boolean {
  for (const _ in node) return false;
  return true;
}

export function isMember(node: FieldSet): boolean {
  return node['.'] !== undefined || hasNoKeys(node);
}

export function isEmptySet(set: FieldSet): boolean {
  for (const key in set) if (key !== '.') return false;
  return true;
}

/** A node for the tree, or nothing when it would say nothing. */
export function fieldNode(member: boolean, children: FieldSet | undefined): FieldSet | undefined {
  const bare = children === undefined || isEmptySet(children);
  if (bare) return member ? leaf : undefined;
  if (member === (children['.'] !== undefined)) return children;
  if (member) return { '.': leaf, ...children };
  const { '.': _, ...rest } = children;
  return rest;
}

/** Makes a set of named nodes, in canonical order. Only the last node of a name counts. */
export function fieldSetOf(nodes: [string, FieldSet][]): FieldSet {
  if (nodes.length === 0) return noFields;
  if (!isOrdered(nodes)) nodes.sort((a, b) => compareElements(a[0], b[0]));
  const set: Record<string, FieldSet> = {};
  for (const [element, node] of nodes) set[element] = node;
  return set;
}

function isOrdered(nodes: readonly [string, FieldSet][]): boolean {
  for (let i = 1; i < nodes.length; i += 1) {
    const [before, after] = [nodes[i - 1], nodes[i]];
    if (before !== undefined && after !== undefined && compareElements(before[0], after[0]) > 0) return false;
  }
  return true;
}

export function fieldSetOfPaths(paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => {
    const single = path.toReversed().reduce<FieldSet>((node, name) => ({ [`f:${name}`]: node }), leaf);
    return unionOf(set, single);
  }, noFields);
}

export function unionOf(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  const left = Object.keys(a);
  const right = Object.keys(b);
  const set: Record<string, FieldSet> = {};
  let i = left[0] === '.' ? 1 : 0;
  let j = right[0] === '.' ? 1 : 0;
  while (i < left.length || j < right.length) {
    const l = left[i];
    const r = right[j];
    const order = l === undefined ? 1 : r === undefined ? -1 : l === r ? 0 : compareElements(l, r);
    if (order <= 0 && l !== undefined) {
      const mine = a[l] ?? leaf;
      set[l] = order < 0 ? mine : unionOfNodes(mine, b[l] ?? leaf);
      i += 1;
    }
    if (order >= 0 && r !== undefined) {
      if (order > 0) set[r] = b[r] ?? leaf;
      j += 1;
    }
  }
  return set;
}

function unionOfNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  return fieldNode(isMember(a) || isMember(b), unionOf(a, b)) ?? leaf;
}

/** What is in the first set and not in the second; the first set itself when they have nothing in common. */
export function differenceOf(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false);
}

/** As `differenceOf`, but a member of the second set takes everything below it away as well. */
export function withoutTrees(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true);
}

function subtract(a: FieldSet, b: FieldSet, wholeTrees: boolean): FieldSet {
  let changed: Record<string, FieldSet> | undefined;
  for (const element in b) {
    const mine = element === '.' ? undefined : a[element];
    const theirs = b[element];
    if (mine === undefined || theirs === undefined) continue;
    const taken = isMember(theirs);
    const rest =
      taken && wholeTrees ? undefined : fieldNode(isMember(mine) && !taken, subtract(mine, theirs, wholeTrees));
    if (rest === mine) continue;
    changed ??= { ...a };
    if (rest === undefined) delete changed[element];
    else changed[element] = rest;
  }
  return changed ?? a;
}

export function intersectionOf(a: FieldSet, b: FieldSet): FieldSet {
  let set: Record<string, FieldSet> | undefined;
  for (const element in a) {
    const mine = a[element];
    const theirs = element === '.' ? undefined : b[element];
    if (mine === undefined || theirs === undefined) continue;
    const shared = fieldNode(isMember(mine) && isMember(theirs), intersectionOf(mine, theirs));
    if (shared === undefined) continue;
    set ??= {};
    set[element] = shared;
  }
  return set ?? noFields;
}

/** All members as paths: those of a level before those below it, as the texts of the API list them. */
export function pathsOf(set: FieldSet, prefix: readonly string[] = []): string[][] {
  const found: string[][] = [];
  for (const element in set) {
    const node = set[element];
    if (element !== '.' && node !== undefined && isMember(node)) found.push([...prefix, element]);
  }
  for (const element in set) {
    const node = set[element];
    if (element !== '.' && node !== undefined && !isEmptySet(node)) found.push(...pathsOf(node, [...prefix, element]));
  }
  return found;
}

export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return path.length > 0 && node !== undefined && isMember(node);
}
