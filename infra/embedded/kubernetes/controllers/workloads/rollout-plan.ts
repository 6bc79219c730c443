import type { ApiObject } from '../../api-object.ts';
import { numberAt, textAt, valueAt } from '../../kinds/rules/fields.ts';

export interface Scaling {
  readonly set: ApiObject;
  readonly replicas: number;
}

export function replicasOf(set: ApiObject): number {
  return numberAt(set, 'spec', 'replicas');
}

function availableOf(set: ApiObject): number {
  return numberAt(set, 'status', 'availableReplicas');
}

function sum(sets: readonly ApiObject[], count: (set: ApiObject) => number): number {
  return sets.reduce((total, set) => total + count(set), 0);
}

function scaled(value: unknown, replicas: number, round: (number: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? Number.parseInt(value, 10) : 0;
  return round((percent * replicas) / 100);
}

/** How many pods a rollout may have too many, and too few. */
export function fenceposts(deployment: ApiObject): { readonly surge: number; readonly unavailable: number } {
  const replicas = numberAt(deployment, 'spec', 'replicas');
  if (textAt(deployment, 'spec', 'strategy', 'type') !== 'RollingUpdate') return { surge: 0, unavailable: 0 };
  const rolling = valueAt(deployment, 'spec', 'strategy', 'rollingUpdate');
  const surge = scaled(valueAt(rolling, 'maxSurge'), replicas, Math.ceil);
  const unavailable = scaled(valueAt(rolling, 'maxUnavailable'), replicas, Math.floor);
  // Rounding may leave no room at all; then one pod may be missing.
  const floor = surge === 0 && unavailable === 0 ? 1 : unavailable;
  return { surge, unavailable: replicas === 0 ? 0 : Math.min(floor, replicas) };
}

/** With how many pods a new ReplicaSet starts, given the others. */
export function firstReplicas(deployment: ApiObject, old: readonly ApiObject[]): number {
  const wanted = numberAt(deployment, 'spec', 'replicas');
  if (textAt(deployment, 'spec', 'strategy', 'type') === 'Recreate') {
    return sum(old, (set) => numberAt(set, 'status', 'replicas')) + sum(old, replicasOf) > 0 ? 0 : wanted;
  }
  const room = wanted + fenceposts(deployment).surge - sum(old, replicasOf);
  return Math.max(0, Math.min(room, wanted));
}

/** The next change of sizes on the way from the old ReplicaSets to the new one; none when it is done or must wait. */
export function nextScaling(deployment: ApiObject, current: ApiObject, old: readonly ApiObject[]): readonly Scaling[] {
  const wanted = numberAt(deployment, 'spec', 'replicas');
  const active = old.filter((set) => replicasOf(set) > 0);
  if (textAt(deployment, 'spec', 'strategy', 'type') === 'Recreate') {
    if (active.length > 0) return active.map((set) => ({ set, replicas: 0 }));
    const isClear = old.every((set) => numberAt(set, 'status', 'replicas') === 0);
    return isClear && replicasOf(current) !== wanted ? [{ set: current, replicas: wanted }] : [];
  }
  const size = replicasOf(current);
  const next = size > wanted ? wanted : size + roomFor(deployment, current, old);
  if (next !== size) return [{ set: current, replicas: next }];
  return shrink(deployment, current, active);
}

function roomFor(deployment: ApiObject, current: ApiObject, old: readonly ApiObject[]): number {
  const wanted = numberAt(deployment, 'spec', 'replicas');
  const most = wanted + fenceposts(deployment).surge;
  const room = most - sum([current, ...old], replicasOf);
  return Math.max(0, Math.min(room, wanted - replicasOf(current)));
}

/** Takes pods from the old sets: first those that do not work, then as many as may be missing. */
function shrink(deployment: ApiObject, current: ApiObject, active: readonly ApiObject[]): readonly Scaling[] {
  const wanted = numberAt(deployment, 'spec', 'replicas');
  const least = wanted - fenceposts(deployment).unavailable;
  const brokenNew = replicasOf(current) - availableOf(current);
  let spare = sum([current, ...active], replicasOf) - least - brokenNew;
  if (spare <= 0) return [];
  const sizes = new Map(active.map((set) => [set, replicasOf(set)]));
  for (const set of active) {
    const broken = Math.min(spare, replicasOf(set) - availableOf(set));
    if (broken <= 0) continue;
    sizes.set(set, replicasOf(set) - broken);
    spare -= broken;
  }
  let healthy = sum([current, ...active], availableOf) - least;
  for (const set of active) {
    const size = sizes.get(set) ?? 0;
    const taken = Math.max(0, Math.min(size, healthy));
    sizes.set(set, size - taken);
    healthy -= taken;
  }
  return [...sizes].filter(([set, size]) => size !== replicasOf(set)).map(([set, replicas]) => ({ set, replicas }));
}
