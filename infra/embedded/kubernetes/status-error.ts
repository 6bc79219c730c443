/** One thing wrong with one field, in the words and reasons of the Kubernetes API. */
export interface FieldError {
  readonly reason:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueTypeInvalid'
    | 'FieldValueNotFound'
    | 'InternalError';
  /** A path such as `spec.components[0].name`. */
  readonly field: string;
  /** Without the field, as in `Invalid value: "x": must be …`. */
  readonly message: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Record<string, unknown>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** The group and plural name that the texts of the API speak of, as in `environments.appstudio.redhat.com "x" not found`. */
export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

/** A refusal in the form that every client of the Kubernetes API understands. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }
}

function qualified({ group, resource }: ResourceName): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function detailsOf({ group, resource }: ResourceName, name?: string): StatusDetails {
  return { ...(name === undefined || name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource };
}

export function notFound(resource: ResourceName, name: string): StatusError {
  return new StatusError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, detailsOf(resource, name));
}

export function alreadyExists(resource: ResourceName, name: string, isGoing = false): StatusError {
  return new StatusError(
    409,
    'AlreadyExists',
    `${isGoing ? 'object is being deleted: ' : ''}${qualified(resource)} "${name}" already exists`,
    detailsOf(resource, name),
  );
}

export function conflict(resource: ResourceName, name: string, why: string): StatusError {
  return new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    detailsOf(resource, name),
  );
}

export const modifiedMeanwhile =
  'the object has been modified; please apply your changes to the latest version and try again';

export function forbidden(resource: ResourceName, name: string, why: string): StatusError {
  const named = name === '' ? qualified(resource) : `${qualified(resource)} "${name}"`;
  return new StatusError(403, 'Forbidden', `${named} is forbidden: ${why}`, detailsOf(resource, name));
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const lines = errors.map(({ field, message }) => `${field}: ${message}`);
  const unique = [...new Set(lines)];
  const listed = unique.length === 1 ? unique[0] : `[${unique.join(', ')}]`;
  const title = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  return new StatusError(422, 'Invalid', `${title} "${name}" is invalid: ${listed}`, {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.kind,
    causes: errors.map(({ reason, field, message }) => ({ reason, message, field })),
  });
}

/** The honest answer to what this stand-in does not do. */
export function notSupported(what: string): StatusError {
  return new StatusError(
    501,
    'NotImplemented',
    `${what} is not supported by the embedded API server, a development stand-in; start Stagecoach with --kubeconfig or with --real to use a real cluster`,
  );
}
