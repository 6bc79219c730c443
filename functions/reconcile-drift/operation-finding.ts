import { type OperationType, operationSubject } from '../../shared/domain/gitops/names.ts';
import type { Engine } from '../../shared/domain/gitops/placement.ts';
import type { Finding } from '../../shared/domain/upkeep/drift.ts';

interface Wrong {
  readonly kind: Finding['kind'];
  readonly what: string;
  readonly type: OperationType;
  /** The key of the row. */
  readonly id: string;
  /** The name of the object beside the Argo CD. */
  readonly name: string;
  /** The namespace of the tenant; empty where nobody knows whose it was. */
  readonly namespace: string;
}

/** Something beside an Argo CD is wrong: an operation that nobody owns makes it as the rows say, whatever was recorded before. */
export function operationFinding(engine: Engine, { kind, what, type, id, name, namespace }: Wrong): Finding {
  // Work for somebody unknown stands in line with what else is done for that Argo CD.
  const tenant = namespace === '' ? engine.namespace : namespace;
  return {
    kind,
    subject: { namespace: engine.namespace, name },
    what: `${what}: ${type} of ${tenant}`,
    knock: { type: 'operation.requested.v1', subject: operationSubject(tenant, type, id) },
    operation: { type, resourceId: id, instanceId: engine.instanceId },
  };
}
