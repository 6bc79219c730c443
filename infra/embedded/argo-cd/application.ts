import type { Fields, KubeObject } from './kube-object.ts';

export interface Source {
  readonly repoURL: string;
  readonly path?: string;
  readonly targetRevision?: string;
  readonly [field: string]: unknown;
}

export interface Destination {
  readonly server?: string;
  readonly name?: string;
  readonly namespace?: string;
}

export interface Retry {
  readonly limit?: number;
  readonly backoff?: { readonly duration?: string; readonly factor?: number; readonly maxDuration?: string };
  readonly refresh?: boolean;
}

export interface SyncPolicy {
  readonly automated?: {
    readonly prune?: boolean;
    readonly selfHeal?: boolean;
    readonly allowEmpty?: boolean;
    readonly enabled?: boolean;
  };
  readonly syncOptions?: readonly string[];
  readonly retry?: Retry;
  readonly managedNamespaceMetadata?: Fields;
}

export interface ApplicationSpec {
  readonly project?: string;
  readonly source?: Source;
  readonly sources?: readonly Source[];
  readonly destination: Destination;
  readonly syncPolicy?: SyncPolicy;
  readonly ignoreDifferences?: readonly IgnoredDifference[];
  readonly revisionHistoryLimit?: number;
  readonly [field: string]: unknown;
}

export interface IgnoredDifference {
  readonly group?: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly jsonPointers?: readonly string[];
}

interface SyncResource {
  readonly group?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface SyncOperation {
  readonly revision?: string;
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly source?: Source;
  readonly syncOptions?: readonly string[];
  readonly resources?: readonly SyncResource[];
  readonly autoHealAttemptsCount?: number;
  readonly [field: string]: unknown;
}

export interface Operation {
  readonly sync?: SyncOperation;
  readonly initiatedBy?: { readonly username?: string; readonly automated?: boolean };
  readonly retry?: Retry;
  readonly [field: string]: unknown;
}

export type Phase = 'Running' | 'Terminating' | 'Failed' | 'Error' | 'Succeeded';

export interface ResourceResult {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly status?: 'Synced' | 'SyncFailed' | 'Pruned' | 'PruneSkipped';
  readonly message?: string;
  readonly hookPhase?: Phase;
  readonly syncPhase?: string;
  readonly images?: readonly string[];
}

export interface OperationState {
  readonly operation: Operation;
  readonly phase: Phase;
  readonly message?: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly retryCount?: number;
  readonly syncResult?: {
    readonly revision: string;
    readonly source?: Source;
    readonly resources?: readonly ResourceResult[];
    readonly managedNamespaceMetadata?: Fields;
  };
}

export interface Condition {
  readonly type: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

export interface Health {
  readonly status: 'Healthy' | 'Suspended' | 'Progressing' | 'Missing' | 'Degraded' | 'Unknown';
  readonly message?: string;
}

export type SyncCode = 'Synced' | 'OutOfSync' | 'Unknown';

export interface ResourceStatus {
  readonly group?: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly status?: SyncCode;
  readonly health?: Health;
  readonly hook?: boolean;
  readonly requiresPruning?: boolean;
  readonly syncWave?: number;
}

export interface SyncStatus {
  readonly status: SyncCode;
  readonly revision?: string;
  readonly comparedTo?: {
    readonly source?: Source;
    readonly destination: Destination;
    readonly ignoreDifferences?: readonly IgnoredDifference[];
  };
}

export interface HistoryEntry {
  readonly id: number;
  readonly revision: string;
  readonly source?: Source;
  readonly deployStartedAt: string;
  readonly deployedAt: string;
  readonly initiatedBy: object;
}

export interface ApplicationStatus {
  readonly sync?: SyncStatus;
  readonly health?: { readonly status: Health['status']; readonly lastTransitionTime?: string };
  readonly resources?: readonly ResourceStatus[];
  readonly conditions?: readonly Condition[];
  readonly history?: readonly HistoryEntry[];
  readonly operationState?: OperationState;
  readonly reconciledAt?: string;
  readonly sourceType?: string;
  readonly summary?: { readonly images?: readonly string[] };
  readonly controllerNamespace?: string;
}

export interface Application extends KubeObject {
  readonly spec: ApplicationSpec;
  readonly status?: ApplicationStatus;
  readonly operation?: Operation;
}

export const refreshAnnotation = 'argocd.argoproj.io/refresh';
export const syncOptionsAnnotation = 'argocd.argoproj.io/sync-options';

export function isCompleted(phase: Phase | undefined): boolean {
  return phase === 'Failed' || phase === 'Error' || phase === 'Succeeded';
}

/** Kubernetes keeps times to the second. */
export function instant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
