import type { Subject } from '../core/subject.ts';

// What the things beside an Argo CD are called. Clients of the original service know these names.

/** Argo CD's own name for the cluster that it runs in. */
export const localDestination = 'in-cluster';

/** `id` is the key of the application's row, which is the UID of its GitOpsDeployment. */
export function applicationName(id: string): string {
  return `gitopsdepl-${id}`;
}

/** The row behind an Argo CD Application; undefined where the name is none of ours. */
export function applicationIdOf(name: string): string | undefined {
  return /^gitopsdepl-(?<id>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(name)?.groups?.['id'];
}

export function projectName(userId: string): string {
  return `app-project-${userId}`;
}

/** The cluster Secret of a managed environment, and the name that Argo CD knows the cluster by. */
export function clusterSecretName(environmentId: string): string {
  return `managed-env-${environmentId}`;
}

export function repositorySecretName(credentialsId: string): string {
  return `repo-cred-${credentialsId}`;
}

export function operationName(operationId: string): string {
  return `operation-${operationId}`;
}

/** What an operation is about, as the rows call it. */
export type OperationType =
  | 'Application'
  | 'ManagedEnvironment'
  | 'RepositoryCredentials'
  | 'SyncOperation'
  | 'GitOpsEngineInstance';

const prefixes: Readonly<Record<OperationType, string>> = {
  Application: 'application',
  ManagedEnvironment: 'managed-environment',
  RepositoryCredentials: 'repository-credentials',
  SyncOperation: 'sync-operation',
  GitOpsEngineInstance: 'engine-instance',
};

/** The subject of operation.requested.v1: one for each resource, so that knocks about the same one become one look. */
export function operationSubject(tenantNamespace: string, type: OperationType, resourceId: string): Subject {
  return { namespace: tenantNamespace, name: `${prefixes[type]}.${resourceId}` };
}

export function readOperationSubject(
  name: string,
): { readonly type: OperationType; readonly resourceId: string } | undefined {
  const dot = name.indexOf('.');
  const found = Object.entries(prefixes).find(([, prefix]) => prefix === name.slice(0, Math.max(0, dot)));
  return found === undefined ? undefined : { type: found[0] as OperationType, resourceId: name.slice(dot + 1) };
}
