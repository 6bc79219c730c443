import type { ApiObject } from '../api-object.ts';
import type { Reviews } from '../auth/reviews.ts';
import type { DeleteOptions } from '../internal-api.ts';
import { crdStorage } from '../kinds/kind-catalogue.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { createObject } from '../operations/create-object.ts';
import { decodeObject, parseBody } from '../operations/decode-object.ts';
import type { ObjectList } from '../operations/list-objects.ts';
import { listObjects } from '../operations/list-objects.ts';
import type { Call, Machinery } from '../operations/machinery.ts';
import { patchObject } from '../operations/patch-object.ts';
import { putObject } from '../operations/put-object.ts';
import { readCall } from '../operations/read-call.ts';
import { readDeleteOptions } from '../operations/read-delete-options.ts';
import { removeObject } from '../operations/remove-object.ts';
import { changeScale, scaleOf } from '../operations/scale-object.ts';
import { shownAs } from '../operations/version-of.ts';
import type { RequestAttributes } from '../request-attributes.ts';
import { notFound, notSupported, type Status, StatusError } from '../status-error.ts';

export interface ResourceRequest {
  readonly attributes: RequestAttributes;
  readonly kind: ServedKind;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly userAgent: string | undefined;
  body(): Promise<string>;
  /** What the client is told in Warning headers, whatever the answer. */
  readonly warnings: string[];
  /** Told what the body was understood as, also where it is refused afterwards. */
  readonly understood: (requestObject: unknown) => void;
}

/** What came of a request; the front decides how it is written. */
export interface Served {
  readonly code: number;
  readonly call: Call;
  readonly result:
    | { readonly object: ApiObject }
    | { readonly list: ObjectList }
    | { readonly status: Status }
    | { readonly watch: true };
}

/** One request on one kind: which operation it is, and what it is given. */
export async function serveResource(machinery: Machinery, reviews: Reviews, request: ResourceRequest): Promise<Served> {
  const { attributes, kind, query } = request;
  const mediaType = request.contentType.split(';')[0]?.trim() ?? '';
  const isApply = attributes.verb === 'patch' && mediaType === 'application/apply-patch+yaml';
  const call = readCall(kind, attributes, query, request.userAgent, isApply, request.warnings);
  if (kind.deprecation !== undefined) call.warnings.push(kind.deprecation);
  if (attributes.subresource !== '') return serveSubresource();
  if (!(kind.verbs as readonly string[]).includes(attributes.verb)) throw methodNotAllowed();
  switch (attributes.verb) {
    case 'get':
      return { code: 200, call, result: { object: present() } };
    case 'list':
      machinery.store.settle();
      return { code: 200, call, result: { list: listObjects(machinery, call, query) } };
    case 'watch':
      return { code: 200, call, result: { watch: true } };
    case 'create':
      return create();
    case 'update':
      return put();
    case 'patch':
      return patch();
    case 'delete':
      return remove();
    case 'deletecollection':
      return removeAll();
    default:
      throw methodNotAllowed();
  }

  function present(): ApiObject {
    const { store } = machinery;
    store.settle();
    const namespace = kind.namespaced ? attributes.namespace : '';
    const object = store.get({ storage: kind.storage, namespace, name: attributes.name });
    if (object === undefined) throw notFound({ group: kind.group, resource: kind.plural }, attributes.name);
    return shownAs(object, kind);
  }

  async function create(): Promise<Served> {
    if (attributes.name !== '' || (kind.namespaced && attributes.namespace === '')) throw methodNotAllowed();
    checkBodyType(['application/json', 'application/yaml']);
    const requestObject = decodeObject(await request.body(), call);
    request.understood(requestObject);
    if (isReview(kind)) {
      return { code: 201, call, result: { object: reviews.review(attributes, requestObject) } };
    }
    refuseWhileTerminating(requestObject.metadata.name ?? '');
    const object = await createObject(machinery, call, structuredClone(requestObject));
    await machinery.store.safe();
    return { code: 201, call, result: { object: shownAs(object, kind) } };
  }

  async function put(): Promise<Served> {
    if (attributes.name === '') throw methodNotAllowed();
    checkBodyType(['application/json', 'application/yaml']);
    const requestObject = decodeObject(await request.body(), call);
    request.understood(requestObject);
    const object = await putObject(machinery, call, structuredClone(requestObject));
    await machinery.store.safe();
    return { code: 200, call, result: { object } };
  }

  async function patch(): Promise<Served> {
    if (attributes.name === '') throw methodNotAllowed();
    const text = await request.body();
    request.understood(lenient(text));
    const before = machinery.store.get({
      storage: kind.storage,
      namespace: kind.namespaced ? attributes.namespace : '',
      name: attributes.name,
    });
    const object = await patchObject(machinery, call, { mediaType, text, force: query.get('force') === 'true' });
    await machinery.store.safe();
    const isNew = before === undefined || before.metadata.uid !== object.metadata.uid;
    return { code: isNew ? 201 : 200, call, result: { object: shownAs(object, kind) } };
  }

  async function remove(): Promise<Served> {
    const options = await deleteOptions();
    const { answer } = await removeObject(machinery, call, attributes.name, options);
    await machinery.store.safe();
    const result =
      'kind' in answer && answer.kind === 'Status' && 'code' in answer
        ? { status: answer as Status }
        : { object: answer as ApiObject };
    return { code: 200, call, result };
  }

  async function removeAll(): Promise<Served> {
    const options = await deleteOptions();
    const list = listObjects(machinery, call, query);
    const removed: ApiObject[] = [];
    for (const object of list.objects) {
      const { metadata } = object;
      const one = { ...call, attributes: { ...attributes, namespace: metadata.namespace ?? '' } };
      try {
        await removeObject(machinery, one, metadata.name ?? '', options);
        removed.push(object);
      } catch (error) {
        // Somebody else was quicker with this one.
        if (!(error instanceof StatusError && error.status.code === 404)) throw error;
      }
    }
    await machinery.store.safe();
    return { code: 200, call, result: { list: { ...list, objects: removed } } };
  }

  async function deleteOptions(): Promise<DeleteOptions> {
    const { isDryRun, ...options } = readDeleteOptions(await request.body(), query);
    if (isDryRun) Object.assign(call, { dryRun: true });
    const { uid, resourceVersion, ...asked } = options;
    Object.assign(
      call.options,
      asked,
      uid === undefined && resourceVersion === undefined ? {} : { preconditions: { uid, resourceVersion } },
    );
    return options;
  }

  async function serveSubresource(): Promise<Served> {
    const { subresource, verb } = attributes;
    if (!kind.subresources.includes(subresource)) {
      if (kind.isCustom) throw notFound({ group: kind.group, resource: kind.plural }, attributes.name);
      if (kind.missingSubresources.includes(subresource)) throw notSupported(`${kind.plural}/${subresource}`);
      throw new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
    }
    if (subresource === 'scale') return serveScale();
    if (subresource === 'token') {
      if (verb !== 'create') throw methodNotAllowed();
      const { value } = parseBody(await request.body(), 'TokenRequest');
      const asked = { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', ...(value as object) } as ApiObject;
      return { code: 201, call, result: { object: reviews.requestToken(attributes, asked) } };
    }
    if (verb === 'get' && subresource === 'status') return { code: 200, call, result: { object: present() } };
    if (verb === 'update') return put();
    if (verb === 'patch' && subresource === 'status') return patch();
    throw methodNotAllowed();
  }

  async function serveScale(): Promise<Served> {
    const { verb } = attributes;
    if (verb === 'get') return { code: 200, call, result: { object: scaleOf(present(), kind) } };
    if (verb !== 'update' && verb !== 'patch') throw methodNotAllowed();
    const object = await changeScale(machinery, call, {
      mediaType,
      text: await request.body(),
      isPatch: verb === 'patch',
    });
    await machinery.store.safe();
    return { code: 200, call, result: { object } };
  }

  function checkBodyType(accepted: readonly string[]): void {
    if (mediaType === '' || accepted.includes(mediaType)) return;
    throw new StatusError(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    );
  }

  /** Objects of a CRD that is going away would never be cleaned up. */
  function refuseWhileTerminating(name: string): void {
    if (!kind.isCustom) return;
    const crd = machinery.store.get({ storage: crdStorage, namespace: '', name: `${kind.plural}.${kind.group}` });
    if (crd?.metadata.deletionTimestamp === undefined) return;
    throw new StatusError(
      403,
      'Forbidden',
      `${kind.plural}.${kind.group} "${name}" is forbidden: create not allowed while custom resource definition is terminating`,
      { name, group: kind.group, kind: kind.plural },
    );
  }

  function methodNotAllowed(): StatusError {
    if (!kind.isCustom) return notAllowed('the server does not allow this method on the requested resource', {});
    const message = `${attributes.verb} is not supported on resources of kind "${kind.plural}.${kind.group}"`;
    return notAllowed(message, { group: kind.group, kind: kind.plural });
  }
}

function notAllowed(message: string, details: object): StatusError {
  return new StatusError(405, 'MethodNotAllowed', message, details);
}

function isReview({ group, kind }: ServedKind): boolean {
  return (group === 'authorization.k8s.io' || group === 'authentication.k8s.io') && kind !== 'TokenRequest';
}

function lenient(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
