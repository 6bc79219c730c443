import { StatusError } from '../status-error.ts';

/** The answer to a patch of a type that the kind does not take; for a custom resource a strategic merge patch is one. */
export function unsupportedPatchType(custom: boolean): StatusError {
  return custom
    ? new StatusError(
        415,
        'UnsupportedMediaType',
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      )
    : new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}
