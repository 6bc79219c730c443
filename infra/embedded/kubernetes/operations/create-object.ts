import { checkNamespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import type { ApiObject } from '../api-object.ts';
import { trackUpdate } from '../apply/track-update.ts';
import { checkEscalation } from '../auth/check-escalation.ts';
import { instant } from '../clock.ts';
import { generateName } from '../kinds/rules/name-rules.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { alreadyExists, badRequest, StatusError } from '../status-error.ts';
import { admissionOf, mutate, validateByWebhooks } from './admit.ts';
import { checkObject } from './check-object.ts';
import type { Call, Machinery } from './machinery.ts';
import { trackingOf } from './tracking-of.ts';
import { storedForm } from './version-of.ts';

/** Names made up by the server are tried this often before a collision is an answer. */
const NameAttempts = 8;

/** Stores a new object, or says what keeps it out. `decoded` is the caller's own and changed on the way. */
export async function createObject(
  machinery: Machinery,
  call: Call,
  decoded: ApiObject,
  isApplied = false,
): Promise<ApiObject> {
  const { kind, attributes } = call;
  if (decoded.metadata.resourceVersion) {
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  placeInNamespace(decoded, call);
  fillMetadata(machinery, decoded, kind);
  // Server-side apply has written down already who owns what.
  if (!isApplied)
    assignManaged(decoded, trackUpdate({ live: undefined, next: decoded, ...trackingOf(machinery, call) }));

  const admission = admissionOf(call, 'CREATE', decoded.metadata.name ?? '');
  const admitted = await mutate(machinery, call, admission, decoded, undefined);
  const object: ApiObject = { ...admitted, metadata: { ...admitted.metadata } };
  checkEscalation(machinery.authorizer, attributes, object, undefined);
  if (kind.hasStatus) {
    if (kind.isCustom) delete object['status'];
    else object['status'] = {};
  }
  if (kind.countsGenerations) object.metadata.generation = 1;
  kind.rules.prepareCreate?.(object);
  checkObject(kind, object, undefined);
  await validateByWebhooks(machinery, call, admission, object, undefined);

  return store(object);

  function store(made: ApiObject): ApiObject {
    const { store: shelf } = machinery;
    for (let attempt = 1; ; attempt += 1) {
      const { namespace = '', name = '', generateName: base } = made.metadata;
      const other = shelf.get({ storage: kind.storage, namespace, name });
      if (other === undefined) break;
      if (!base || attempt === NameAttempts) {
        const isGoing = other.metadata.deletionTimestamp !== undefined;
        throw alreadyExists({ group: kind.group, resource: kind.plural }, name, isGoing);
      }
      made.metadata.name = generateName(base, machinery.random);
    }
    // Webhooks took their time; the namespace may have gone meanwhile.
    checkNamespaceLifecycle(shelf, admission, made);
    if (call.dryRun) return made;
    return shelf.put(kind.storage, storedForm(made, kind));
  }
}

function placeInNamespace(object: ApiObject, { kind, attributes }: Call): void {
  if (!kind.namespaced) {
    if (object.metadata.namespace && !kind.isCustom) throw badRequest(namespaceMismatch);
    delete object.metadata.namespace;
    return;
  }
  object.metadata.namespace ||= attributes.namespace;
  if (object.metadata.namespace !== attributes.namespace) throw badRequest(namespaceMismatch);
}

export const namespaceMismatch =
  'the namespace of the provided object does not match the namespace sent on the request';

function fillMetadata(machinery: Machinery, { metadata }: ApiObject, kind: ServedKind): void {
  metadata.uid = machinery.newUid();
  metadata.creationTimestamp = instant(machinery.clock.now());
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  if (kind.countsGenerations) delete metadata.generation;
  if (metadata.generateName && !metadata.name) metadata.name = generateName(metadata.generateName, machinery.random);
}

export function assignManaged(object: ApiObject, managed: ApiObject['metadata']['managedFields'] | undefined): void {
  if (managed === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = managed;
}
