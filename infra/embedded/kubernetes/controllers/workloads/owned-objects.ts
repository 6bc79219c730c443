import type { ApiObject, OwnerReference } from '../../api-object.ts';
import { valueAt } from '../../kinds/rules/fields.ts';
import { selects } from '../../kinds/rules/label-selector.ts';
import type { User } from '../../user.ts';
import { type ControllerParts, controllerUid, isBeingDeleted } from '../controller.ts';

/** The reference by which an owner manages what it makes. */
export function managedBy({ apiVersion, kind, metadata: { name = '', uid = '' } }: ApiObject): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 * What an owner manages: the objects that name it as their controller. Those that nobody manages and its selector means
 * are taken over, and those that it no longer means are let go.
 */
export async function claimObjects(
  { api }: ControllerParts,
  user: User,
  owner: ApiObject,
  storage: string,
): Promise<readonly ApiObject[]> {
  const selector = valueAt(owner, 'spec', 'selector');
  const claimed: ApiObject[] = [];
  for (const object of api.read.list(storage, owner.metadata.namespace ?? '')) {
    const manager = controllerUid(object);
    const isMeant = selects(selector, object.metadata.labels ?? {});
    if (manager === owner.metadata.uid) {
      if (isMeant) claimed.push(object);
      else await api.update(user, withOwners(object, others(object, owner)));
    } else if (manager === undefined && isMeant && !isBeingDeleted(object)) {
      claimed.push(await api.update(user, withOwners(object, [...others(object, owner), managedBy(owner)])));
    }
  }
  return claimed;
}

function others(object: ApiObject, owner: ApiObject): OwnerReference[] {
  return (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
}

function withOwners(object: ApiObject, owners: OwnerReference[]): ApiObject {
  const { ownerReferences: _before, ...metadata } = object.metadata;
  return { ...object, metadata: owners.length === 0 ? metadata : { ...metadata, ownerReferences: owners } };
}

/** Keys of those that manage an object of the given kind, or that might take it over. */
export function managersOf({ api }: ControllerParts, object: ApiObject, kind: string, storage: string): string[] {
  const { namespace = '', ownerReferences = [], labels = {} } = object.metadata;
  const manager = ownerReferences.find(({ controller }) => controller === true);
  if (manager !== undefined) return manager.kind === kind ? [`${namespace}/${manager.name}`] : [];
  return api.read
    .list(storage, namespace)
    .filter((candidate) => selects(valueAt(candidate, 'spec', 'selector'), labels))
    .map((candidate) => `${namespace}/${candidate.metadata.name ?? ''}`);
}
