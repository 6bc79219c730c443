import type { ApiObject } from '../api-object.ts';
import { instant } from '../clock.ts';
import type { StoreEvent } from '../internal-api.ts';
import { fieldsAt, listAt, textAt } from '../kinds/rules/fields.ts';
import { storageOf } from '../kinds/served-kind.ts';
import { controllerUser } from '../user.ts';
import { type Controller, type ControllerParts, isBeingDeleted, keyIn, withoutFinalizer } from './controller.ts';
import { ignoreMissing } from './ignore-missing.ts';
import type { WorkQueue } from './work-queue.ts';

const user = controllerUser('customresourcedefinition-controller');
const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
const finalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** A definition that is being deleted takes its objects with it, and goes after the last one. */
export class DefinitionCleanup implements Controller {
  private readonly parts: ControllerParts;
  private readonly queue: WorkQueue;
  /** Storages of definitions that are going, and their names. */
  private readonly going = new Map<string, string>();

  constructor(parts: ControllerParts) {
    this.parts = parts;
    this.queue = parts.queue('crd-finalizer', (name) => this.sync(name));
  }

  observe({ type, storage, object }: StoreEvent): void {
    if (storage === definitions) {
      const { name = '', finalizers = [] } = object.metadata;
      const isGoing = type !== 'DELETED' && isBeingDeleted(object) && finalizers.includes(finalizer);
      if (isGoing) {
        this.going.set(instancesOf(object), name);
        this.queue.add(name);
      } else this.going.delete(instancesOf(object));
      return;
    }
    const name = this.going.get(storage);
    if (name !== undefined && type === 'DELETED') this.queue.add(name);
  }

  private async sync(name: string): Promise<void> {
    const { api } = this.parts;
    const key = { storage: definitions, namespace: '', name };
    const definition = api.read.get(key);
    if (definition === undefined || !isBeingDeleted(definition)) return;
    if (!(definition.metadata.finalizers ?? []).includes(finalizer)) return;
    const storage = instancesOf(definition);
    const instances = api.read.list(storage);
    if (instances.length > 0) {
      await this.say(definition, 'True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
      const living = instances.filter((object) => !isBeingDeleted(object));
      await Promise.all(living.map((object) => ignoreMissing(api.remove(user, keyIn(storage, object)))));
    }
    if (api.read.list(storage).length > 0) return;
    const present = api.read.get(key);
    if (present === undefined) return;
    await this.say(present, 'False', 'InstanceDeletionCompleted', 'removed all instances');
    const last = api.read.get(key);
    if (last !== undefined) await ignoreMissing(api.update(user, withoutFinalizer(last, finalizer)));
  }

  private async say(definition: ApiObject, status: string, reason: string, message: string): Promise<void> {
    const { api, clock } = this.parts;
    const conditions = listAt(definition, 'status', 'conditions');
    const before = conditions.find((condition) => textAt(condition, 'type') === 'Terminating');
    if (textAt(before, 'status') === status && textAt(before, 'reason') === reason) return;
    const isSameStatus = textAt(before, 'status') === status;
    const since = isSameStatus ? textAt(before, 'lastTransitionTime') : instant(clock.now());
    const others = conditions.filter((condition) => condition !== before);
    const terminating = { type: 'Terminating', status, lastTransitionTime: since, reason, message };
    const next = { ...definition, status: { ...fieldsAt(definition, 'status'), conditions: [...others, terminating] } };
    await ignoreMissing(api.update(user, next, 'status'));
  }
}

function instancesOf(definition: ApiObject): string {
  return storageOf(textAt(definition, 'spec', 'group'), textAt(definition, 'spec', 'names', 'plural'));
}
