import { createHash } from 'node:crypto';
import type { IgnoredDifference } from '../application.ts';
import { statusOf } from '../cluster/api-error.ts';
import type { ApiResource } from '../cluster/api-resources.ts';
import type { Target } from '../cluster/clusters.ts';
import { isSame, predictObject } from '../cluster/write-object.ts';
import { gvkOf, isFields, type KubeObject, keyOf, sameJson, stableJson } from '../kube-object.ts';

export interface Differences {
  /** Whether applying the target would change the live object. */
  isModified(
    cluster: Target,
    resource: ApiResource,
    target: KubeObject,
    live: KubeObject,
    ignored: readonly IgnoredDifference[],
  ): Promise<boolean>;
}

const remembered = 5_000;

/**
 * Asks the API server what applying would give, and compares that with what is there: defaults, normalised numbers and
 * merged lists are then no differences. The answer holds until either side changes.
 */
export function openDifferences(): Differences {
  const answers = new Map<string, boolean>();
  return {
    async isModified(cluster, resource, target, live, ignored) {
      const identity = [cluster.server, keyOf(live), live.metadata.uid, live.metadata.resourceVersion, ignored, target];
      const key = createHash('sha256').update(stableJson(identity)).digest('base64');
      const known = answers.get(key);
      if (known !== undefined) return known;
      const modified = await compare(cluster, resource, target, live, ignored);
      if (answers.size >= remembered) answers.clear();
      answers.set(key, modified);
      return modified;
    },
  };
}

async function compare(
  cluster: Target,
  resource: ApiResource,
  target: KubeObject,
  live: KubeObject,
  ignored: readonly IgnoredDifference[],
): Promise<boolean> {
  const pointers = ignored.filter((one) => isAbout(one, live)).flatMap((one) => one.jsonPointers ?? []);
  try {
    const predicted = await predictObject(cluster, resource, target);
    return !isSame(without(predicted, pointers), without(live, pointers));
  } catch (error) {
    const status = statusOf(error);
    if (status === undefined || status === 429 || status >= 500) throw error;
    // Who may only read can still see whether what is wanted is there.
    if (status === 403 || status === 405) return !contains(without(live, pointers), without(target, pointers));
    // The target is refused as it stands: the sync will say why.
    return true;
  }
}

function isAbout(one: IgnoredDifference, live: KubeObject): boolean {
  const { group, kind } = gvkOf(live);
  return (
    (one.kind === kind || one.kind === '*') &&
    ((one.group ?? '') === group || one.group === '*') &&
    ((one.name ?? '') === '' || one.name === live.metadata.name) &&
    ((one.namespace ?? '') === '' || one.namespace === live.metadata.namespace)
  );
}

/** A copy without the fields that JSON pointers name. */
export function without(object: KubeObject, pointers: readonly string[]): KubeObject {
  if (pointers.length === 0) return object;
  const copy = structuredClone(object) as KubeObject;
  for (const pointer of pointers) {
    const path = pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = path.pop();
    let here: unknown = copy;
    for (const part of path)
      here = isFields(here) || Array.isArray(here) ? (here as Record<string, unknown>)[part] : undefined;
    if (last === undefined || typeof here !== 'object' || here === null) continue;
    if (Array.isArray(here)) here.splice(Number(last), 1);
    else delete (here as Record<string, unknown>)[last];
  }
  return copy;
}

/** Whether everything that is wanted is there; what else is there does not matter. */
export function contains(live: unknown, wanted: unknown): boolean {
  if (isFields(wanted)) {
    return (
      isFields(live) && Object.entries(wanted).every(([name, value]) => value === null || contains(live[name], value))
    );
  }
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(live) &&
      live.length === wanted.length &&
      wanted.every((value: unknown, index) => contains(live[index], value))
    );
  }
  return sameJson(live, wanted);
}
