import { checkNamespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import type { ApiObject } from '../api-object.ts';
import { instant } from '../clock.ts';
import { deletionFinalizers } from '../controllers/deletion-finalizers.ts';
import type { DeleteOptions, ObjectKey } from '../internal-api.ts';
import { conflict, notFound, type Status } from '../status-error.ts';
import { admissionOf, validateByWebhooks } from './admit.ts';
import { isGone } from './is-gone.ts';
import type { Call, Machinery } from './machinery.ts';
import { shownAs } from './version-of.ts';

/** These answer a deletion with what was deleted instead of a Status. */
const answersObject = new Set(['pods', 'services', 'serviceaccounts', 'persistentvolumeclaims', 'resourcequotas']);

const crdCleanup = 'customresourcecleanup.apiextensions.k8s.io';

export interface Removal {
  /** What the client is told: the object where it stays until its finalizers are gone, else a Status. */
  readonly answer: ApiObject | Status;
  readonly object: ApiObject;
}

/** Deletes an object, or marks it as being deleted where finalizers hold it. */
export async function removeObject(
  machinery: Machinery,
  call: Call,
  name: string,
  options: DeleteOptions,
): Promise<Removal> {
  const { kind, attributes } = call;
  const { store } = machinery;
  const key: ObjectKey = { storage: kind.storage, namespace: kind.namespaced ? attributes.namespace : '', name };
  const admission = admissionOf(call, 'DELETE', name);
  for (;;) {
    const live = store.get(key);
    if (live === undefined) throw notFound({ group: kind.group, resource: kind.plural }, name);
    checkPreconditions(live, options, call);
    checkNamespaceLifecycle(store, admission, undefined);
    // Of a deletion webhooks may only be asked, whatever their kind: there is nothing to change.
    const shown = shownAs(live, kind);
    const asked = await machinery.admission.mutate(admission, undefined, shown);
    call.warnings.push(...asked.warnings);
    await validateByWebhooks(machinery, call, admission, undefined, shown);
    if (store.get(key) !== live) continue;
    return finish(live);
  }

  function finish(live: ApiObject): Removal {
    const marked = markDeleted(machinery, live, options);
    if (isGone(marked)) {
      const last = call.dryRun ? live : store.remove(kind.storage, live);
      const object = shownAs(last, kind);
      return { answer: answersObject.has(kind.storage) ? object : success(call, live), object };
    }
    const isNews = marked !== live && !call.dryRun;
    const object = shownAs(isNews ? store.put(kind.storage, marked) : marked, kind);
    return { answer: object, object };
  }
}

/** The object as it waits for its finalizers. Asking twice changes nothing, except that a foreground deletion may be asked for late. */
function markDeleted(machinery: Machinery, live: ApiObject, options: DeleteOptions): ApiObject {
  const before = live.metadata.finalizers ?? [];
  let finalizers = deletionFinalizers(before, options.propagationPolicy);
  const isCrd = live.kind === 'CustomResourceDefinition' && live.apiVersion.startsWith('apiextensions.k8s.io/');
  if (isCrd && !finalizers.includes(crdCleanup) && live.metadata.deletionTimestamp === undefined) {
    finalizers = [...finalizers, crdCleanup];
  }
  const isSame = finalizers.length === before.length && finalizers.every((one, at) => one === before[at]);
  if (live.metadata.deletionTimestamp !== undefined && isSame) return live;
  const marked: ApiObject = { ...live, metadata: { ...live.metadata } };
  if (finalizers.length > 0) marked.metadata.finalizers = [...finalizers];
  else delete marked.metadata.finalizers;
  if (live.metadata.deletionTimestamp === undefined) {
    const now = instant(machinery.clock.now());
    marked.metadata.deletionTimestamp = now;
    if (live.metadata.generation !== undefined) marked.metadata.generation = live.metadata.generation + 1;
    if (live.kind === 'Namespace') marked['status'] = { ...(live['status'] as object), phase: 'Terminating' };
    else marked.metadata.deletionGracePeriodSeconds = 0;
    if (isCrd) marked['status'] = terminating(live, now);
  }
  return marked;
}

function terminating(crd: ApiObject, now: string): object {
  const status = (crd['status'] ?? {}) as { readonly conditions?: readonly { readonly type: string }[] };
  return {
    ...status,
    conditions: [
      ...(status.conditions ?? []).filter(({ type }) => type !== 'Terminating'),
      {
        type: 'Terminating',
        status: 'True',
        lastTransitionTime: now,
        reason: 'InstanceDeletionPending',
        message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
      },
    ],
  };
}

function checkPreconditions(live: ApiObject, { uid, resourceVersion }: DeleteOptions, { kind }: Call): void {
  const named = { group: kind.group, resource: kind.kind };
  const name = live.metadata.name ?? '';
  const has = live.metadata;
  if (uid !== undefined && uid !== has.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${has.uid}). The object might have been deleted and then recreated`;
    throw conflict(named, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== has.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${has.resourceVersion}). The object might have been modified`;
    throw conflict(named, name, why);
  }
}

function success({ kind }: Call, { metadata }: ApiObject): Status {
  const group = kind.group === '' ? {} : { group: kind.group };
  const details = { name: metadata.name ?? '', ...group, kind: kind.plural, uid: metadata.uid ?? '' };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details, code: 200 };
}
