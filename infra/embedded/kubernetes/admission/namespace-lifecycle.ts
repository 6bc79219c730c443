import type { ApiObject } from '../api-object.ts';
import type { StoreReader } from '../internal-api.ts';
import type { AdmissionAttributes } from '../request-attributes.ts';
import { forbidden, notFound, StatusError } from '../status-error.ts';

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

function isTerminating(namespace: ApiObject): boolean {
  const { phase } = (namespace['status'] ?? {}) as { readonly phase?: unknown };
  return phase === 'Terminating' || namespace.metadata.deletionTimestamp !== undefined;
}

/** The name that a refusal speaks of: of an object without one, the beginning that it asked for. */
function spokenName({ name }: AdmissionAttributes, object: ApiObject | undefined): string {
  return object?.metadata.generateName || name || (object?.metadata.name ?? '');
}

/**
 * Nothing is made in a namespace that is not there or is going away, and the namespaces that every cluster has stay.
 * Throws 403 and 404. Deletions always pass: they are how a namespace empties.
 */
export function checkNamespaceLifecycle(
  read: StoreReader,
  attributes: AdmissionAttributes,
  object: ApiObject | undefined,
): void {
  const { group, resource, namespace, name, operation } = attributes;
  if (group === '' && resource === 'namespaces') {
    if (operation === 'DELETE' && attributes.subresource === '' && immortal.has(name)) {
      throw forbidden(attributes, name, 'this namespace may not be deleted');
    }
    return;
  }
  if (namespace === '' || operation === 'DELETE') return;
  if (group === 'authorization.k8s.io' && resource === 'localsubjectaccessreviews') return;

  const home = read.get({ storage: 'namespaces', namespace: '', name: namespace });
  if (home === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  if (operation !== 'CREATE' || !isTerminating(home)) return;

  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = forbidden(attributes, spokenName(attributes, object), why);
  throw new StatusError(status.code, 'Forbidden', status.message ?? why, {
    ...status.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}
