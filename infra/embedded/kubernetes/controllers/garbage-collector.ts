import type { ApiObject, OwnerReference } from '../api-object.ts';
import type { DeleteOptions, StoreEvent } from '../internal-api.ts';
import { apiVersionOf, type ServedKind } from '../kinds/served-kind.ts';
import { controllerUser } from '../user.ts';
import { type Controller, type ControllerParts, isBeingDeleted, keyIn, withoutFinalizer } from './controller.ts';
import { foregroundFinalizer, orphanFinalizer } from './deletion-finalizers.ts';
import { foreignOwnerEvent } from './foreign-owner-event.ts';
import { ignoreMissing } from './ignore-missing.ts';
import { Ownership } from './ownership.ts';
import type { WorkQueue } from './work-queue.ts';

const user = controllerUser('generic-garbage-collector');

type Standing = 'solid' | 'gone' | 'waiting' | 'unknown';

/**
 * Deletes what nobody owns any more. An owner is found by kind, name and uid: one of the same name that came later is
 * another object. Dependants go after their last owner (background), before it (foreground), or are set free (orphan).
 */
export class GarbageCollector implements Controller {
  private readonly parts: ControllerParts;
  private readonly queue: WorkQueue;
  private readonly ownership = new Ownership();
  /** Dependants of kinds that are not served now; they are looked at again when that changes. */
  private readonly unresolved = new Set<string>();
  private kindsSeen: readonly ServedKind[] = [];
  private kindsByName = new Map<string, ServedKind>();

  constructor(parts: ControllerParts) {
    this.parts = parts;
    this.queue = parts.queue('garbage-collector', (uid) => this.sync(uid));
  }

  observe({ type, storage, object }: StoreEvent): void {
    const uid = object.metadata.uid ?? '';
    if (type === 'DELETED') {
      this.ownership.forget(uid);
      for (const dependant of this.ownership.dependantsOf(uid)) this.queue.add(dependant);
      for (const { uid: owner } of object.metadata.ownerReferences ?? []) this.wakeIfWaiting(owner);
      return;
    }
    this.ownership.learn(uid, keyIn(storage, object), object);
    if (storage === 'customresourcedefinitions.apiextensions.k8s.io') {
      for (const dependant of this.unresolved) this.queue.add(dependant);
    }
    const finalizers = object.metadata.finalizers ?? [];
    const isEnding =
      isBeingDeleted(object) && finalizers.some((name) => name === orphanFinalizer || name === foregroundFinalizer);
    if (isEnding || this.mayBeOrphaned(object)) this.queue.add(uid);
    if (!isBeingDeleted(object)) return;
    for (const { uid: owner } of object.metadata.ownerReferences ?? []) this.wakeIfWaiting(owner);
  }

  private wakeIfWaiting(owner: string): void {
    if (this.ownership.keyOf(owner) !== undefined) this.queue.add(owner);
  }

  /** Most changes are of objects whose owners stand there; those are not worth a place in the queue. */
  private mayBeOrphaned(object: ApiObject): boolean {
    const owners = object.metadata.ownerReferences ?? [];
    return owners.some((owner) => this.standingOf(owner, object) !== 'solid');
  }

  private async sync(uid: string): Promise<void> {
    const object = this.present(uid);
    this.unresolved.delete(uid);
    if (object === undefined) return;
    const finalizers = object.metadata.finalizers ?? [];
    if (isBeingDeleted(object)) {
      if (finalizers.includes(orphanFinalizer)) await this.orphan(object, uid);
      else if (finalizers.includes(foregroundFinalizer)) await this.deleteDependants(object, uid);
      return;
    }
    await this.deleteOrRelease(object, uid);
  }

  private present(uid: string): ApiObject | undefined {
    const key = this.ownership.keyOf(uid);
    const object = key === undefined ? undefined : this.parts.api.read.get(key);
    return object?.metadata.uid === uid ? object : undefined;
  }

  private async deleteOrRelease(object: ApiObject, uid: string): Promise<void> {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.length === 0) return;
    const standings = owners.map((owner) => this.standingOf(owner, object));
    if (standings.includes('unknown')) {
      this.unresolved.add(uid);
      return;
    }
    if (standings.includes('solid')) {
      const left = owners.filter((_, index) => standings[index] === 'solid');
      if (left.length < owners.length) await this.keepOwners(object, left);
      return;
    }
    await this.tellForeignOwners(object, owners);
    const hasDependants = this.ownership.dependantsOf(uid).length > 0;
    await this.remove(object, uid, standings.includes('waiting') && hasDependants ? 'Foreground' : policyOf(object));
  }

  private async tellForeignOwners(object: ApiObject, owners: readonly OwnerReference[]): Promise<void> {
    const { api, clock } = this.parts;
    for (const owner of owners) {
      const lives = this.ownership.keyOf(owner.uid);
      if (lives === undefined || lives.namespace === '' || lives.namespace === object.metadata.namespace) continue;
      // The telling is a courtesy: the object goes either way.
      await api.create(user, foreignOwnerEvent(object, owner, clock.now())).catch(() => undefined);
    }
  }

  private async remove(object: ApiObject, uid: string, policy: DeleteOptions['propagationPolicy']): Promise<void> {
    const key = this.ownership.keyOf(uid);
    if (key === undefined) return;
    const options: DeleteOptions = { uid, ...(policy === undefined ? {} : { propagationPolicy: policy }) };
    await ignoreMissing(this.parts.api.remove(user, { ...key, name: object.metadata.name ?? '' }, options));
  }

  /** Foreground: the owner waits until every dependant that blocks it is gone. */
  private async deleteDependants(owner: ApiObject, uid: string): Promise<void> {
    const blocking = this.ownership.dependantsOf(uid).flatMap((dependant) => {
      const object = this.present(dependant);
      const reference = object?.metadata.ownerReferences?.find((one) => one.uid === uid);
      return object !== undefined && reference?.blockOwnerDeletion === true ? [{ object, dependant }] : [];
    });
    if (blocking.length === 0) {
      await ignoreMissing(this.parts.api.update(user, withoutFinalizer(owner, foregroundFinalizer)));
      return;
    }
    for (const { object, dependant } of blocking) if (!isBeingDeleted(object)) this.queue.add(dependant);
  }

  private async orphan(owner: ApiObject, uid: string): Promise<void> {
    for (const dependant of this.ownership.dependantsOf(uid)) {
      const object = this.present(dependant);
      if (object === undefined) continue;
      const left = (object.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
      await this.keepOwners(object, left);
    }
    await ignoreMissing(this.parts.api.update(user, withoutFinalizer(owner, orphanFinalizer)));
  }

  private async keepOwners(object: ApiObject, owners: readonly OwnerReference[]): Promise<void> {
    const { ownerReferences: _before, ...metadata } = object.metadata;
    const next = owners.length === 0 ? metadata : { ...metadata, ownerReferences: [...owners] };
    await ignoreMissing(this.parts.api.update(user, { ...object, metadata: next }));
  }

  private standingOf(owner: OwnerReference, dependant: ApiObject): Standing {
    const kind = this.kindNamed(`${owner.apiVersion}/${owner.kind}`);
    const { namespace = '' } = dependant.metadata;
    // A cluster-scoped object cannot depend on one of a namespace: which namespace is meant, nobody said.
    if (kind === undefined || (kind.namespaced && namespace === '')) return 'unknown';
    const key = { storage: kind.storage, namespace: kind.namespaced ? namespace : '', name: owner.name };
    const found = this.parts.api.read.get(key);
    if (found === undefined || found.metadata.uid !== owner.uid) return 'gone';
    const isWaiting = isBeingDeleted(found) && (found.metadata.finalizers ?? []).includes(foregroundFinalizer);
    return isWaiting ? 'waiting' : 'solid';
  }

  private kindNamed(name: string): ServedKind | undefined {
    const kinds = this.parts.kinds();
    if (kinds !== this.kindsSeen) {
      this.kindsSeen = kinds;
      this.kindsByName = new Map(kinds.map((kind) => [`${apiVersionOf(kind)}/${kind.kind}`, kind]));
    }
    return this.kindsByName.get(name);
  }
}

function policyOf({ metadata: { finalizers = [] } }: ApiObject): DeleteOptions['propagationPolicy'] {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}
