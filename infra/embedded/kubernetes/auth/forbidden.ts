import type { RequestAttributes } from '../request-attributes.ts';
import { forbidden, StatusError } from '../status-error.ts';
import { quoted } from './go-text.ts';

/** Why a request may not be made, in the words of the API: who, what, where, and what authorization adds. */
function sentence(attributes: RequestAttributes): string {
  const who = `User ${quoted(attributes.user.name)} cannot ${attributes.verb}`;
  if (!attributes.isResourceRequest) return `${who} path ${quoted(attributes.path)}`;
  const resource =
    attributes.subresource === '' ? attributes.resource : `${attributes.resource}/${attributes.subresource}`;
  const where =
    attributes.namespace === '' ? 'at the cluster scope' : `in the namespace ${quoted(attributes.namespace)}`;
  return `${who} resource ${quoted(resource)} in API group ${quoted(attributes.group)} ${where}`;
}

export function forbiddenRequest(attributes: RequestAttributes, reason: string): StatusError {
  const why = reason === '' ? sentence(attributes) : `${sentence(attributes)}: ${reason}`;
  if (!attributes.isResourceRequest) return new StatusError(403, 'Forbidden', `forbidden: ${why}`, {});
  return forbidden(attributes, attributes.name, why);
}
