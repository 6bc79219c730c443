import { randomUUID } from 'node:crypto';
import type { ApiObject } from '../api-object.ts';
import { userInfo } from '../auth/reviews.ts';
import type { AdmissionAttributes } from '../request-attributes.ts';

export interface ReviewRequest {
  readonly uid: string;
  readonly [field: string]: unknown;
}

/** What a webhook answered, once it is known to be an answer. */
export interface ReviewResponse {
  readonly allowed: boolean;
  readonly status: Readonly<Record<string, unknown>>;
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

const apiVersion = 'admission.k8s.io/v1';

function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A subresource such as scale has objects of another kind than its resource. */
function kindOf(attributes: AdmissionAttributes, object: ApiObject | undefined): Fields {
  const { group, version, kind } = attributes.kind;
  if (object === undefined) return { group, version, kind };
  const [last = '', first = ''] = object.apiVersion.split('/').reverse();
  return { group: first, version: last, kind: object.kind };
}

function optionsOf({ operation, options }: AdmissionAttributes): Fields {
  const kind = operation === 'CREATE' ? 'CreateOptions' : operation === 'DELETE' ? 'DeleteOptions' : 'UpdateOptions';
  // What a patch asks for beyond an update is not told to webhooks, nor that it was a patch.
  const { force: _, ...told } = options;
  return { ...told, kind, apiVersion: 'meta.k8s.io/v1' };
}

export function reviewRequest(
  attributes: AdmissionAttributes,
  object: ApiObject | undefined,
  oldObject: ApiObject | undefined,
): ReviewRequest {
  const { group, version, resource, subresource, operation } = attributes;
  const kind = kindOf(attributes, object ?? oldObject);
  const named = { group, version, resource };
  const known = attributes.name || (operation === 'CREATE' ? (object?.metadata.name ?? '') : '');
  // Who deletes a collection names nobody; the object says which one it is about.
  const name = attributes.verb === 'deletecollection' ? '' : known;
  const namespace = group === '' && resource === 'namespaces' ? name : attributes.namespace;
  return {
    uid: randomUUID(),
    kind,
    resource: named,
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kind,
    requestResource: named,
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(attributes.user),
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun: attributes.dryRun,
    options: optionsOf(attributes),
  };
}

export function reviewBody(request: ReviewRequest): string {
  return JSON.stringify({ kind: 'AdmissionReview', apiVersion, request });
}

const expectedShape = `struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;

function parse(body: string): Fields {
  let value: unknown = '';
  try {
    value = JSON.parse(body);
  } catch {
    // Whatever is not JSON is read as YAML by the API, where nearly every text is a string.
  }
  const found = fields(value);
  if (found !== undefined) return found;
  const kind = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  throw new Error(
    `failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal ${kind} into Go value of type ${expectedShape}`,
  );
}

function invalidResponse(why: string): Error {
  return new Error(`received invalid webhook response: ${why}`);
}

function checkKind(review: Fields): void {
  const found = { apiVersion: text(review['apiVersion']), kind: text(review['kind']) };
  if (found.apiVersion === apiVersion && found.kind === 'AdmissionReview') return;
  if (found.kind === '' && found.apiVersion === '') {
    throw invalidResponse(`expected webhook response of ${apiVersion}, Kind=AdmissionReview, got /, Kind=`);
  }
  if (found.apiVersion === 'admission.k8s.io/v1beta1' && found.kind === 'AdmissionReview') {
    throw new Error(
      'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    );
  }
  throw new Error(
    `failed to call webhook: no kind ${JSON.stringify(found.kind)} is registered for version ${JSON.stringify(found.apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Reads an answer. Throws an Error that says what is wrong with it, beginning as the API begins it. */
export function readResponse(body: string, uid: string, mayPatch: boolean): ReviewResponse {
  const review = parse(body);
  checkKind(review);
  const response = fields(review['response']);
  if (response === undefined) throw invalidResponse('webhook response was absent');
  if (response['uid'] !== uid) {
    throw invalidResponse(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(text(response['uid']))}`);
  }
  const patch = text(response['patch']);
  const patchType = text(response['patchType']);
  if (!mayPatch && patch !== '') throw invalidResponse('validating webhook may not return response.patch');
  if (!mayPatch && patchType !== '') throw invalidResponse('validating webhook may not return response.patchType');
  if (patch !== '' && patchType === '') {
    throw invalidResponse('webhook returned response.patch but not response.patchType');
  }
  if (patch === '' && patchType !== '') {
    throw invalidResponse('webhook returned response.patchType but not response.patch');
  }
  const annotations = Object.entries(fields(response['auditAnnotations']) ?? {});
  return {
    allowed: response['allowed'] === true,
    status: fields(response['status']) ?? {},
    patch,
    patchType,
    warnings: strings(response['warnings']),
    auditAnnotations: Object.fromEntries(annotations.map(([key, value]) => [key, text(value)])),
  };
}
