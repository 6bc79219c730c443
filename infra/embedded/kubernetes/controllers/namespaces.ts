import type { ApiObject } from '../api-object.ts';
import { instant } from '../clock.ts';
import type { StoreEvent } from '../internal-api.ts';
import { isSame, listAt } from '../kinds/rules/fields.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { controllerUser } from '../user.ts';
import { type Controller, type ControllerParts, isBeingDeleted, keyIn } from './controller.ts';
import { ignoreMissing } from './ignore-missing.ts';
import type { WorkQueue } from './work-queue.ts';

const user = controllerUser('namespace-controller');
const storage = 'namespaces';

interface Remaining {
  readonly kind: ServedKind;
  readonly objects: readonly ApiObject[];
}

/** Empties a namespace that is being deleted, and lets it go when nothing is left in it. */
export class Namespaces implements Controller {
  private readonly parts: ControllerParts;
  private readonly queue: WorkQueue;

  constructor(parts: ControllerParts) {
    this.parts = parts;
    this.queue = parts.queue('namespace', (name) => this.sync(name));
  }

  observe({ type, storage: changed, object }: StoreEvent): void {
    if (changed === storage) {
      if (type !== 'DELETED' && isBeingDeleted(object)) this.queue.add(object.metadata.name ?? '');
      return;
    }
    const { namespace = '' } = object.metadata;
    if (namespace === '') return;
    const home = this.parts.api.read.get({ storage, namespace: '', name: namespace });
    if (home !== undefined && isBeingDeleted(home)) this.queue.add(namespace);
  }

  private async sync(name: string): Promise<void> {
    const { api } = this.parts;
    const namespace = api.read.get({ storage, namespace: '', name });
    if (namespace === undefined || !isBeingDeleted(namespace)) return;
    if (!listAt(namespace, 'spec', 'finalizers').includes('kubernetes')) return;
    for (const { kind, objects } of this.contents(name)) {
      const living = objects.filter((object) => !isBeingDeleted(object));
      await Promise.all(
        living.map((object) =>
          ignoreMissing(api.remove(user, keyIn(kind.storage, object), { propagationPolicy: 'Background' })),
        ),
      );
    }
    const remaining = this.contents(name);
    if (remaining.length > 0) await this.report(name, remaining);
    else await this.finish(name);
  }

  private contents(name: string): readonly Remaining[] {
    const { api, kinds } = this.parts;
    const byStorage = new Map(kinds().map((kind) => [kind.storage, kind]));
    return [...byStorage.values()]
      .filter((kind) => kind.namespaced && kind.verbs.includes('delete'))
      .map((kind) => ({ kind, objects: api.read.list(kind.storage, name) }))
      .filter(({ objects }) => objects.length > 0);
  }

  private async finish(name: string): Promise<void> {
    const { api } = this.parts;
    const namespace = api.read.get({ storage, namespace: '', name });
    if (namespace === undefined) return;
    const finalizers = listAt(namespace, 'spec', 'finalizers').filter((one) => one !== 'kubernetes');
    const spec = finalizers.length === 0 ? {} : { finalizers };
    await ignoreMissing(api.update(user, { ...namespace, spec }, 'finalize'));
  }

  private async report(name: string, remaining: readonly Remaining[]): Promise<void> {
    const { api, clock } = this.parts;
    const namespace = api.read.get({ storage, namespace: '', name });
    if (namespace === undefined) return;
    const before = listAt(namespace, 'status', 'conditions') as readonly Record<string, unknown>[];
    const conditions = conditionsOf(remaining).map((condition) => {
      const known = before.find(({ type }) => type === condition.type);
      const since = known?.['status'] === condition.status ? known['lastTransitionTime'] : instant(clock.now());
      return { ...condition, lastTransitionTime: since };
    });
    const status = { conditions, phase: 'Terminating' };
    if (isSame(namespace['status'], status)) return;
    await ignoreMissing(api.update(user, { ...namespace, status }, 'status'));
  }
}

function conditionsOf(remaining: readonly Remaining[]) {
  const byFinalizer = new Map<string, number>();
  for (const object of remaining.flatMap(({ objects }) => objects)) {
    for (const finalizer of object.metadata.finalizers ?? []) {
      byFinalizer.set(finalizer, (byFinalizer.get(finalizer) ?? 0) + 1);
    }
  }
  const resources = remaining
    .map(({ kind, objects }) => `${kind.plural}.${kind.group} has ${objects.length} resource instances`)
    .sort()
    .join(', ');
  const finalizers = [...byFinalizer]
    .map(([finalizer, count]) => `${finalizer} in ${count} resource instances`)
    .sort()
    .join(', ');
  return [
    good('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    good(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    good(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    {
      type: 'NamespaceContentRemaining',
      status: 'True',
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${resources}`,
    },
    finalizers === ''
      ? good('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : {
          type: 'NamespaceFinalizersRemaining',
          status: 'True',
          reason: 'SomeFinalizersRemain',
          message: `Some content in the namespace has finalizers remaining: ${finalizers}`,
        },
  ];
}

function good(type: string, reason: string, message: string) {
  return { type, status: 'False', reason, message };
}
