import type { Answer } from '../../../support/api-client.ts';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { AuditEvent } from '../../../support/audit-sink.ts';

export const gitops = 'managed-gitops.redhat.com';

/** The least GitOpsDeployment. */
export function deployment(name: string, metadata: Readonly<Record<string, unknown>> = {}) {
  return {
    apiVersion: `${gitops}/v1alpha1`,
    kind: 'GitOpsDeployment',
    metadata: { name, ...metadata },
    spec: { source: { repoURL: 'https://git.example.com/team/config.git', path: 'overlays/1' }, type: 'automated' },
  };
}

export function deployments(namespace: string, name?: string, subresource?: string): string {
  return [`/apis/${gitops}/v1alpha1/namespaces/${namespace}/gitopsdeployments`, name, subresource]
    .filter((part) => part !== undefined)
    .join('/');
}

/** The event that an answer belongs to: every answer carries the id of its event. */
export function eventOf(world: ApiWorld, answer: Answer): Promise<AuditEvent> {
  const id = answer.headers['audit-id'];
  return world.audit.waitFor(({ auditID }) => auditID === id);
}
