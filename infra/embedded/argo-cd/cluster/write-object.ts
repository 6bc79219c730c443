import { gvkOf, type KubeObject, keyOf, sameJson } from '../kube-object.ts';
import { statusOf } from './api-error.ts';
import { type ApiResource, pathOf } from './api-resources.ts';
import type { Target } from './clusters.ts';

const manager = 'argocd-controller';
const timeoutMs = 30_000;

export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly replace?: boolean;
  readonly serverSide?: boolean;
  readonly validate?: boolean;
}

/** Applies an object and says what became of it, in the words of kubectl. Throws what the API server refused it with. */
export async function applyObject(
  target: Target,
  resource: ApiResource,
  object: KubeObject,
  before: KubeObject | undefined,
  options: WriteOptions,
): Promise<string> {
  if (options.replace) return replaceObject(target, resource, object, before, options);
  const after = await patch(target, resource, object, options).catch((error: unknown) => {
    // kubectl creates what is not there; who may create but not patch can do that much, and who may not is told so.
    if (before !== undefined || statusOf(error) !== 403) throw error;
    return create(target, resource, object, options);
  });
  if (!options.dryRun) target.live.note(after.object);
  const suffix = options.dryRun ? ' (dry run)' : '';
  if (options.serverSide) return `${nameOf(object)} serverside-applied${suffix}`;
  if (after.status === 201 || before === undefined) return `${nameOf(object)} created${suffix}`;
  const same = options.dryRun
    ? isSame(before, after.object)
    : before.metadata.resourceVersion === after.object.metadata.resourceVersion;
  return `${nameOf(object)} ${same ? 'unchanged' : 'configured'}${suffix}`;
}

async function patch(target: Target, resource: ApiResource, object: KubeObject, options: WriteOptions) {
  const query = queryOf(options);
  query.set('force', 'true');
  const path = `${pathOf(resource, object.metadata.namespace, object.metadata.name)}?${query}`;
  const { status, body } = await target.connection.request(path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: object,
    accept: [],
    timeoutMs,
  });
  return { status, object: body as KubeObject };
}

/** What applying would make of an object, without doing it. */
export async function predictObject(target: Target, resource: ApiResource, object: KubeObject): Promise<KubeObject> {
  // Unknown fields would be refused at the sync; here they are only a difference that is not there.
  return (await patch(target, resource, object, { dryRun: true, validate: false })).object;
}

async function create(target: Target, resource: ApiResource, object: KubeObject, options: WriteOptions) {
  const path = pathOf(resource, object.metadata.namespace, object.metadata.name);
  const place = path.slice(0, path.lastIndexOf('/'));
  const settings = { method: 'POST', body: object, accept: [], timeoutMs } as const;
  const { status, body } = await target.connection.request(`${place}?${queryOf(options)}`, settings);
  return { status, object: body as KubeObject };
}

async function replaceObject(
  target: Target,
  resource: ApiResource,
  object: KubeObject,
  before: KubeObject | undefined,
  options: WriteOptions,
): Promise<string> {
  const path = `${pathOf(resource, object.metadata.namespace, object.metadata.name)}?${queryOf(options)}`;
  const after =
    before === undefined
      ? (await create(target, resource, object, options)).object
      : (await target.connection.request(path, { method: 'PUT', body: object, accept: [], timeoutMs })).body;
  if (!options.dryRun) target.live.note(after as KubeObject);
  return `${nameOf(object)} ${before === undefined ? 'created' : 'replaced'}${options.dryRun ? ' (dry run)' : ''}`;
}

function queryOf({ dryRun, validate }: WriteOptions): URLSearchParams {
  const query = new URLSearchParams({
    fieldManager: manager,
    fieldValidation: validate === false ? 'Ignore' : 'Strict',
  });
  if (dryRun) query.set('dryRun', 'All');
  return query;
}

/** Gone already is as good as deleted. */
export async function deleteObject(
  target: Target,
  resource: ApiResource,
  { metadata }: KubeObject,
  propagationPolicy: 'Foreground' | 'Background' | 'Orphan',
): Promise<void> {
  const preconditions = metadata.uid === undefined ? {} : { preconditions: { uid: metadata.uid } };
  await target.connection.request(pathOf(resource, metadata.namespace, metadata.name), {
    method: 'DELETE',
    body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy, ...preconditions },
    accept: [404],
    timeoutMs,
  });
}

export async function readObject(
  target: Target,
  resource: ApiResource,
  { metadata }: Pick<KubeObject, 'metadata'>,
): Promise<KubeObject | undefined> {
  const path = pathOf(resource, metadata.namespace, metadata.name);
  const { status, body } = await target.connection.request(path, { timeoutMs });
  return status === 404 ? undefined : (body as KubeObject);
}

/** The same but for what the server counts and dates by itself. */
export function isSame(left: KubeObject, right: KubeObject): boolean {
  return keyOf(left) === keyOf(right) && sameJson(comparable(left), comparable(right));
}

function comparable(object: KubeObject): unknown {
  const { managedFields: _a, resourceVersion: _b, generation: _c, selfLink: _d, ...metadata } = object.metadata;
  return { ...object, status: undefined, apiVersion: gvkOf(object).group, metadata };
}

function nameOf(object: KubeObject): string {
  const { group } = gvkOf(object);
  return `${object.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${object.metadata.name}`;
}
