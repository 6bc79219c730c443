import type { ApiObject } from '../api-object.ts';
import { settleTimestamps } from '../apply/settle-timestamps.ts';
import { trackUpdate } from '../apply/track-update.ts';
import { checkEscalation } from '../auth/check-escalation.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { sameJson } from '../same-json.ts';
import { conflict, modifiedMeanwhile, notFound, StatusError } from '../status-error.ts';
import { admissionOf, mutate, validateByWebhooks } from './admit.ts';
import { checkObject } from './check-object.ts';
import { assignManaged } from './create-object.ts';
import { isGone } from './is-gone.ts';
import type { Call, Machinery } from './machinery.ts';
import { trackingOf } from './tracking-of.ts';
import { shownAs, storedForm } from './version-of.ts';

/** A change that names no version is made anew on the latest state this often when others write meanwhile. */
const Attempts = 5;

export interface Change {
  /** The wished-for state, decoded, from the present one. Its resourceVersion, if any, is a precondition. */
  next(live: ApiObject): ApiObject;
  /** The client named the version it knows: a change by somebody else meanwhile is a conflict, not a reason to try again. */
  readonly isPinned: boolean;
  /** Server-side apply has written down already who owns what. */
  readonly isApplied?: boolean;
  /** Where the object is not there yet: server-side apply creates it. */
  readonly otherwise?: () => Promise<ApiObject>;
}

/** Brings an object from its present state into the next one: PUT, every PATCH, and the same on a subresource. */
export async function changeObject(machinery: Machinery, call: Call, change: Change): Promise<ApiObject> {
  const { kind, attributes } = call;
  const { store } = machinery;
  const key = { storage: kind.storage, namespace: attributes.namespace, name: attributes.name };
  if (!kind.namespaced) key.namespace = '';
  const named = { group: kind.group, resource: kind.plural };
  for (let attempt = 1; ; attempt += 1) {
    const stored = store.get(key);
    if (stored === undefined) {
      if (change.otherwise !== undefined) return change.otherwise();
      throw notFound(named, key.name);
    }
    const live = shownAs(stored, kind);
    const wished = change.next(live);
    const wanted = wished.metadata.resourceVersion;
    if (wanted && !/^\d+$/.test(wanted)) {
      throw new StatusError(500, '', `strconv.ParseUint: parsing ${JSON.stringify(wanted)}: invalid syntax`);
    }
    if (wanted && wanted !== live.metadata.resourceVersion) throw conflict(named, key.name, modifiedMeanwhile);
    const next = await prepare(machinery, call, change, live, wished);
    // Webhooks took their time: somebody else may have written.
    if (store.get(key) !== stored) {
      if (attempt < Attempts && !change.isPinned) continue;
      throw conflict(named, key.name, modifiedMeanwhile);
    }
    if (next === live || call.dryRun) return next;
    if (isGone(next)) return store.remove(kind.storage, storedForm(next, kind));
    return shownAs(store.put(kind.storage, storedForm(next, kind)), kind);
  }
}

/** The next state as it is to be stored, or `live` itself when nothing changes. */
async function prepare(
  machinery: Machinery,
  call: Call,
  change: Change,
  live: ApiObject,
  wished: ApiObject,
): Promise<ApiObject> {
  const { kind, attributes } = call;
  let next = keepSystemFields(partFor(attributes.subresource, kind, live, wished), live, kind);
  if (change.isApplied !== true) {
    assignManaged(next, trackUpdate({ live, next, ...trackingOf(machinery, call) }));
  }
  const admission = admissionOf(call, 'UPDATE', attributes.name);
  const admitted = await mutate(machinery, call, admission, next, live);
  if (admitted !== next) next = keepSystemFields(partFor(attributes.subresource, kind, live, admitted), live, kind);
  checkEscalation(machinery.authorizer, attributes, next, live);
  if (attributes.subresource === '') kind.rules.prepareUpdate?.(next, live);
  if (kind.countsGenerations && attributes.subresource !== 'status' && isAnotherGeneration(next, live, kind)) {
    next.metadata.generation = (live.metadata.generation ?? 0) + 1;
  }
  checkObject(kind, next, live, attributes.subresource);
  await validateByWebhooks(machinery, call, admission, next, live);
  next = settleTimestamps(live, next);
  next.metadata.resourceVersion = live.metadata.resourceVersion ?? '';
  return sameJson(next, live) ? live : next;
}

/** What the endpoint may change: `/status` the status, the main one everything else. */
function partFor(subresource: string, kind: ServedKind, live: ApiObject, wished: ApiObject): ApiObject {
  const next: ApiObject = { ...wished, metadata: { ...wished.metadata } };
  if (subresource === 'status') {
    const { managedFields } = wished.metadata;
    const status: ApiObject = { ...live, metadata: { ...live.metadata } };
    if (managedFields !== undefined) status.metadata.managedFields = managedFields;
    // The controller writes the revision together with the status.
    if (hasCountedAnnotations(kind)) Object.assign(status.metadata, { annotations: wished.metadata.annotations });
    return withStatusOf(status, wished);
  }
  if (subresource === 'finalize') return { ...live, metadata: { ...live.metadata }, spec: wished['spec'] };
  return kind.hasStatus ? withStatusOf(next, live) : next;
}

function withStatusOf(object: ApiObject, other: ApiObject): ApiObject {
  if (other['status'] === undefined) delete object['status'];
  else object['status'] = other['status'];
  return object;
}

/** Nobody writes these but the server. */
function keepSystemFields(next: ApiObject, live: ApiObject, kind: ServedKind): ApiObject {
  const kept: (keyof ApiObject['metadata'])[] = ['creationTimestamp'];
  // Of a custom object a change of these is refused below; of a built-in one it is passed over.
  if (!kind.isCustom) kept.push('deletionTimestamp', 'deletionGracePeriodSeconds');
  if (kind.countsGenerations) kept.push('generation');
  const metadata = next.metadata as Record<string, unknown>;
  for (const field of kept) {
    if (live.metadata[field] === undefined) delete metadata[field];
    else metadata[field] = live.metadata[field];
  }
  metadata['deletionTimestamp'] ??= live.metadata.deletionTimestamp;
  metadata['deletionGracePeriodSeconds'] ??= live.metadata.deletionGracePeriodSeconds;
  next.metadata.uid ||= live.metadata.uid ?? '';
  return next;
}

function isAnotherGeneration(next: ApiObject, live: ApiObject, kind: ServedKind): boolean {
  return !sameJson(contentOf(next, kind), contentOf(live, kind));
}

/** Deployments are the one kind whose annotations count as a wish, as old clients asked for a rollback in one. */
function hasCountedAnnotations({ group, kind }: ServedKind): boolean {
  return group === 'apps' && kind === 'Deployment';
}

function contentOf(object: ApiObject, kind: ServedKind): unknown {
  const { metadata, status, ...content } = object;
  if (hasCountedAnnotations(kind)) return { ...content, annotations: metadata.annotations };
  return kind.hasStatus || !kind.isCustom ? content : { ...content, status };
}
