import type { ApiObject } from '../../infra/embedded/kubernetes/api-object.ts';
import { type Clock, instant } from '../../infra/embedded/kubernetes/clock.ts';
import { deletionFinalizers } from '../../infra/embedded/kubernetes/controllers/deletion-finalizers.ts';
import type {
  DeleteOptions,
  InternalApi,
  ObjectKey,
  StoreEvent,
  StoreReader,
} from '../../infra/embedded/kubernetes/internal-api.ts';
import { coreRules } from '../../infra/embedded/kubernetes/kinds/rules/core-rules.ts';
import { isSame, listAt } from '../../infra/embedded/kubernetes/kinds/rules/fields.ts';
import { generateName } from '../../infra/embedded/kubernetes/kinds/rules/name-rules.ts';
import { apiVersionOf, type ServedKind, storageOf } from '../../infra/embedded/kubernetes/kinds/served-kind.ts';
import {
  alreadyExists,
  conflict,
  forbidden,
  modifiedMeanwhile,
  notFound,
} from '../../infra/embedded/kubernetes/status-error.ts';
import type { User } from '../../infra/embedded/kubernetes/user.ts';

export function aKind(apiVersion: string, kind: string, plural: string, namespaced = true): ServedKind {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return {
    group: group ?? '',
    version: version ?? '',
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced,
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    storage: storageOf(group ?? '', plural),
    storedAs: apiVersion,
    isCustom: false,
    schema: {},
    storedSchema: {},
    hasStatus: true,
    countsGenerations: true,
    subresources: ['status'],
    missingSubresources: [],
    columns: [],
    selectableFields: [],
    rules: {},
  };
}

const builtIn: readonly ServedKind[] = [
  aKind('v1', 'Namespace', 'namespaces', false),
  aKind('v1', 'ConfigMap', 'configmaps'),
  aKind('v1', 'Secret', 'secrets'),
  aKind('v1', 'ServiceAccount', 'serviceaccounts'),
  aKind('v1', 'Pod', 'pods'),
  aKind('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  aKind('v1', 'Node', 'nodes', false),
  aKind('apps/v1', 'Deployment', 'deployments'),
  aKind('apps/v1', 'ReplicaSet', 'replicasets'),
  aKind('apps/v1', 'StatefulSet', 'statefulsets'),
  aKind('batch/v1', 'Job', 'jobs'),
  aKind('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions', false),
];

/** A store and just enough of the pipeline in memory for controllers to work on. */
export class FakeInternalApi implements InternalApi {
  readonly read: StoreReader;
  /** Replaced as a whole when another kind is served. */
  kinds: readonly ServedKind[] = builtIn;
  /** What was written, in order, as `create pods web-1`. */
  readonly writes: string[] = [];
  /** Called before each write; may throw. */
  refuse: (verb: string, object: ApiObject) => void = () => {};
  private readonly clock: Clock;
  private readonly objects = new Map<string, Map<string, ApiObject>>();
  private readonly listeners = new Set<(event: StoreEvent) => void>();
  private revision = 0;
  private seed = 1;
  private readonly rules = coreRules({ list: (storage) => this.list(storage), now: () => this.clock.now() });

  constructor(clock: Clock) {
    this.clock = clock;
    this.read = {
      get: (key) => this.objects.get(key.storage)?.get(`${key.namespace}/${key.name}`),
      list: (storage, namespace) => this.list(storage, namespace),
      storages: () => this.kinds.map((kind) => kind.storage),
      subscribe: (listener) => {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
      },
    };
  }

  async create(_user: User, given: ApiObject): Promise<ApiObject> {
    const object = structuredClone(given);
    const kind = this.kindOf(object);
    const { metadata } = object;
    metadata.name ??= generateName(metadata.generateName ?? '', () => this.random());
    const named = { group: kind.group, resource: kind.plural };
    if (kind.namespaced) this.checkNamespace(metadata.namespace ?? '', metadata.name, named);
    const key = keyIn(kind, object);
    if (this.read.get(key) !== undefined) throw alreadyExists(named, metadata.name);
    metadata.uid = `uid-${metadata.name}-${this.revision + 1}`;
    metadata.creationTimestamp = instant(this.clock.now());
    metadata.generation = 1;
    const rules = this.rules.get(`${object.apiVersion}/${object.kind}`);
    rules?.setDefaults?.(object);
    rules?.prepareCreate?.(object);
    await this.pause('create', object);
    return this.put('ADDED', kind, object);
  }

  async update(_user: User, given: ApiObject, subresource?: 'status' | 'finalize'): Promise<ApiObject> {
    const kind = this.kindOf(given);
    const named = { group: kind.group, resource: kind.plural };
    const { name = '', resourceVersion } = given.metadata;
    await this.pause(subresource === undefined ? 'update' : `update ${subresource}`, given);
    const live = this.read.get(keyIn(kind, given));
    if (live === undefined) throw notFound(named, name);
    if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) {
      throw conflict(named, name, modifiedMeanwhile);
    }
    const next = structuredClone(given);
    if (subresource === 'status') {
      // As in the real server, the annotations of a Deployment may come with its status.
      const { annotations } = kind.kind === 'Deployment' ? next.metadata : live.metadata;
      Object.assign(next, { ...live, metadata: { ...live.metadata, annotations }, status: next['status'] });
    } else if (subresource === 'finalize') Object.assign(next, { ...live, spec: next['spec'] });
    else {
      if (live['status'] !== undefined) next['status'] = live['status'];
      const rules = this.rules.get(`${next.apiVersion}/${next.kind}`);
      rules?.setDefaults?.(next);
      rules?.prepareUpdate?.(next, live);
    }
    if (!isSame(next['spec'], live['spec'])) next.metadata.generation = (live.metadata.generation ?? 0) + 1;
    if (isSame(next, live)) return live;
    return isGone(next) ? this.take(kind, next) : this.put('MODIFIED', kind, next);
  }

  async remove(_user: User, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const kind = this.kinds.find(({ storage }) => storage === key.storage);
    const live = this.read.get(key);
    if (kind === undefined || live === undefined) throw notFound({ group: '', resource: key.storage }, key.name);
    await this.pause('remove', live);
    if (options.uid !== undefined && options.uid !== live.metadata.uid) {
      throw conflict({ group: kind.group, resource: kind.plural }, key.name, 'another uid');
    }
    const marked = structuredClone(this.read.get(key) ?? live);
    marked.metadata.finalizers = deletionFinalizers(marked.metadata.finalizers ?? [], options.propagationPolicy);
    marked.metadata.deletionTimestamp ??= instant(this.clock.now());
    if (kind.kind === 'Namespace') marked['status'] = { phase: 'Terminating' };
    if (isGone(marked)) this.take(kind, marked);
    else if (!isSame(marked, live)) this.put('MODIFIED', kind, marked);
  }

  private list(storage: string, namespace?: string): readonly ApiObject[] {
    const found = [...(this.objects.get(storage) ?? new Map<string, ApiObject>()).entries()];
    const wanted = namespace === undefined ? found : found.filter(([key]) => key.startsWith(`${namespace}/`));
    return wanted.sort(([left], [right]) => (left < right ? -1 : 1)).map(([, object]) => object);
  }

  private kindOf({ apiVersion, kind }: ApiObject): ServedKind {
    const found = this.kinds.find((one) => apiVersionOf(one) === apiVersion && one.kind === kind);
    if (found === undefined) throw new Error(`The fake does not serve ${apiVersion} ${kind}`);
    return found;
  }

  private checkNamespace(namespace: string, name: string, named: { group: string; resource: string }): void {
    const home = this.read.get({ storage: 'namespaces', namespace: '', name: namespace });
    if (home?.metadata.deletionTimestamp === undefined) return;
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    throw forbidden(named, name, why);
  }

  /** A write takes a turn of the event loop, as on a disk, and is written down. */
  private async pause(verb: string, object: ApiObject): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.writes.push(`${verb} ${object.kind} ${object.metadata.name}`);
    this.refuse(verb, object);
  }

  private put(type: 'ADDED' | 'MODIFIED', kind: ServedKind, object: ApiObject): ApiObject {
    this.revision += 1;
    object.metadata.resourceVersion = String(this.revision);
    const shelf = this.objects.get(kind.storage) ?? new Map<string, ApiObject>();
    this.objects.set(kind.storage, shelf);
    const key = keyIn(kind, object);
    const previous = shelf.get(`${key.namespace}/${key.name}`);
    shelf.set(`${key.namespace}/${key.name}`, object);
    this.tell({
      type,
      storage: kind.storage,
      revision: this.revision,
      object,
      ...(previous === undefined ? {} : { previous }),
    });
    return object;
  }

  private take(kind: ServedKind, object: ApiObject): ApiObject {
    this.revision += 1;
    const key = keyIn(kind, object);
    this.objects.get(kind.storage)?.delete(`${key.namespace}/${key.name}`);
    this.tell({ type: 'DELETED', storage: kind.storage, revision: this.revision, object, previous: object });
    return object;
  }

  private tell(event: StoreEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  private random(): number {
    this.seed = (this.seed * 48_271) % 2_147_483_647;
    return this.seed / 2_147_483_647;
  }
}

function keyIn(kind: ServedKind, { metadata: { namespace = '', name = '' } }: ApiObject): ObjectKey {
  return { storage: kind.storage, namespace: kind.namespaced ? namespace : '', name };
}

function isGone(object: ApiObject): boolean {
  if (object.metadata.deletionTimestamp === undefined) return false;
  const held = object.kind === 'Namespace' && listAt(object, 'spec', 'finalizers').length > 0;
  return (object.metadata.finalizers ?? []).length === 0 && !held;
}
