import type { Environment } from '@marcbachmann/cel-js';
import { sameJson } from '../../same-json.ts';

const sync = { async: false };

type Items = readonly unknown[];

class SetsNamespace {}

/** The functions for lists that Kubernetes has and the evaluator lacks. */
export function addListFunctions(environment: Environment): void {
  const add = (signature: string, body: (...args: never[]) => unknown) =>
    environment.registerFunction(signature, body, sync);

  add('list.isSorted(): bool', (list: Items) => list.every((item, at) => at === 0 || !isBelow(item, list[at - 1])));
  add('list<int>.sum(): int', (list: readonly bigint[]) => list.reduce((sum, each) => sum + each, 0n));
  add('list<double>.sum(): double', (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0));
  for (const type of ['int', 'double', 'string', 'bool']) {
    add(`list<${type}>.min(): ${type}`, (list: Items) => extreme(list, isBelow, 'min'));
    add(`list<${type}>.max(): ${type}`, (list: Items) => extreme(list, (a, b) => isBelow(b, a), 'max'));
  }
  add('list.indexOf(dyn): int', (list: Items, item: unknown) => BigInt(list.findIndex((each) => sameJson(each, item))));
  add('list.lastIndexOf(dyn): int', (list: Items, item: unknown) =>
    BigInt(list.findLastIndex((each) => sameJson(each, item))),
  );
  add('list<A>.distinct(): list<A>', (list: Items) =>
    list.filter((item, at) => list.findIndex((each) => sameJson(each, item)) === at),
  );
  add('list<A>.reverse(): list<A>', (list: Items) => [...list].reverse());
  add('list<A>.sort(): list<A>', (list: Items) =>
    [...list].sort((a, b) => (isBelow(a, b) ? -1 : isBelow(b, a) ? 1 : 0)),
  );
  add('list<A>.slice(int, int): list<A>', (list: Items, from: bigint, to: bigint) => {
    if (from < 0n || from > to || to > BigInt(list.length))
      throw new Error(`cannot slice(${from}, ${to}), list is length ${list.length}`);
    return list.slice(Number(from), Number(to));
  });
  addSets(environment);
}

function addSets(environment: Environment): void {
  environment.registerType('SetsNamespace', SetsNamespace);
  environment.registerConstant('sets', 'SetsNamespace', new SetsNamespace());
  const holds = (list: Items, item: unknown) => list.some((each) => sameJson(each, item));
  const add = (name: string, body: (a: Items, b: Items) => boolean) =>
    environment.registerFunction(
      `SetsNamespace.${name}(list, list): bool`,
      (_: unknown, a: Items, b: Items) => body(a, b),
      sync,
    );
  add('contains', (a, b) => b.every((item) => holds(a, item)));
  add('intersects', (a, b) => b.some((item) => holds(a, item)));
  add('equivalent', (a, b) => a.every((item) => holds(b, item)) && b.every((item) => holds(a, item)));
}

function isBelow(a: unknown, b: unknown): boolean {
  return (a as string) < (b as string);
}

function extreme(list: Items, isBetter: (a: unknown, b: unknown) => boolean, name: string): unknown {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, each) => (isBetter(each, best) ? each : best));
}
