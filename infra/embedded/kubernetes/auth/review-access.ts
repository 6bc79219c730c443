import { wrong } from '../admission/field-problems.ts';
import type { ApiObject } from '../api-object.ts';
import type { Clock } from '../clock.ts';
import type { StoreReader } from '../internal-api.ts';
import type { RequestAttributes } from '../request-attributes.ts';
import { type FieldError, StatusError } from '../status-error.ts';
import type { User } from '../user.ts';
import type { Authenticator } from './authenticate.ts';
import type { Authorizer } from './authorize.ts';
import type { SigningKey } from './signing-key.ts';

export interface ReviewOptions {
  readonly read: StoreReader;
  readonly clock: Clock;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly key: SigningKey;
  readonly issuer: string;
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The API leaves out kind and name in these refusals. */
function refuse(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const lines = errors.map(({ field, message }) => `${field}: ${message}`);
  const listed = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`;
  throw new StatusError(422, 'Invalid', `.authorization.k8s.io "" is invalid: ${listed}`, {
    group: 'authorization.k8s.io',
    causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
  });
}

/** As the API prints it: with the names that its code uses. */
function printedPath(attributes: Fields): Fields {
  return { Path: text(attributes['path']), Verb: text(attributes['verb']) };
}

function specErrors(object: ApiObject, spec: Fields): FieldError[] {
  const errors: FieldError[] = [];
  const resource = fields(spec['resourceAttributes']);
  const path = fields(spec['nonResourceAttributes']);
  if (resource !== undefined && path !== undefined) {
    const why = 'cannot be specified in combination with resourceAttributes';
    errors.push(wrong('spec.nonResourceAttributes', printedPath(path), why));
  }
  if (resource === undefined && path === undefined) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(wrong('spec.resourceAttributes', null, why));
  }
  const hasGroups = Array.isArray(spec['groups']) && spec['groups'].length > 0;
  if (object.kind !== 'SelfSubjectAccessReview' && text(spec['user']) === '' && !hasGroups) {
    errors.push(wrong('spec.user', '', 'at least one of user or group must be specified'));
  }
  return errors;
}

function metadataErrors(object: ApiObject): FieldError[] {
  const { managedFields, namespace, ...rest } = object.metadata;
  return Object.keys(rest).length === 0 ? [] : [wrong('metadata', rest, 'must be empty')];
}

function localErrors(attributes: RequestAttributes, spec: Fields): FieldError[] {
  const path = fields(spec['nonResourceAttributes']);
  if (path !== undefined) {
    return [wrong('spec.nonResourceAttributes', printedPath(path), 'disallowed on this kind of request')];
  }
  const namespace = text(fields(spec['resourceAttributes'])?.['namespace']);
  if (namespace === attributes.namespace) return [];
  return [wrong('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace')];
}

function subjectOf(spec: Fields): User {
  const groups = Array.isArray(spec['groups']) ? spec['groups'].filter((group) => typeof group === 'string') : [];
  return { name: text(spec['user']), groups };
}

/** What would be asked, by whom. */
function questionOf(spec: Fields, user: User): RequestAttributes {
  const resource = fields(spec['resourceAttributes']);
  const asked = resource ?? fields(spec['nonResourceAttributes']) ?? {};
  return {
    user,
    verb: text(asked['verb']),
    isResourceRequest: resource !== undefined,
    path: text(asked['path']),
    group: text(asked['group']),
    version: text(asked['version']),
    resource: text(asked['resource']),
    subresource: text(asked['subresource']),
    namespace: text(asked['namespace']),
    name: text(asked['name']),
  };
}

/** May this user do that? For a SelfSubjectAccessReview the user is whoever asks. */
export function reviewAccess(
  { authorizer }: ReviewOptions,
  attributes: RequestAttributes,
  object: ApiObject,
): ApiObject {
  const spec = fields(object['spec']) ?? {};
  refuse([...specErrors(object, spec), ...metadataErrors(object)]);
  const isLocal = object.kind === 'LocalSubjectAccessReview';
  if (isLocal) refuse(localErrors(attributes, spec));

  const user = object.kind === 'SelfSubjectAccessReview' ? attributes.user : subjectOf(spec);
  const { allowed, reason } = authorizer.authorize(questionOf(spec, user));

  return {
    ...object,
    metadata: isLocal ? { ...object.metadata, namespace: attributes.namespace } : object.metadata,
    status: { allowed, ...(reason === '' ? {} : { reason }) },
  };
}
