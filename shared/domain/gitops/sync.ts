import type { Effect } from '../core/step.ts';
import type { ProbedCondition } from './probed-conditions.ts';

/** A GitOpsDeploymentSyncRun. Times are milliseconds since the epoch. */
export interface SyncRun {
  readonly uid: string;
  /** The revision of the cluster at which it was seen. */
  readonly version: string;
  readonly createdAt: number;
  readonly deploymentName: string;
  /** Empty: whatever the deployment says. */
  readonly revisionId: string;
  readonly deleting: boolean;
  readonly conditions: readonly ProbedCondition[];
  readonly syncStatus: string;
  readonly health: Health | undefined;
}

export interface Health {
  readonly status: string;
  readonly message: string;
}

/** The GitOpsDeployment that a run names. */
export interface SyncedDeployment {
  readonly uid: string;
  readonly type: string;
  readonly targetRevision: string;
}

export type SyncPhase = '' | 'Running' | 'Terminating' | 'Succeeded' | 'Failed' | 'Error';

/** The row of a run, or of one of before that had the same name. Its id is the UID of the run. */
export interface SyncRow {
  readonly id: string;
  /** Undefined where the application is gone. */
  readonly applicationId: string | undefined;
  readonly deploymentName: string;
  readonly revision: string;
  readonly revisionId: string;
  readonly desiredState: 'Running' | 'Terminated';
  readonly phase: SyncPhase;
  readonly message: string;
  readonly requestedAt: number | undefined;
  readonly finishedAt: number | undefined;
  /** The last operation that was asked for about it. */
  readonly operation: LastOperation | undefined;
}

export interface LastOperation {
  readonly state: 'Waiting' | 'In_Progress' | 'Completed' | 'Failed';
  readonly text: string;
  /** When its state last changed. */
  readonly at: number;
}

/** An application that runs may be about, and who else wants to sync it. */
export interface SyncTarget {
  /** The UID of its deployment. */
  readonly applicationId: string;
  readonly instanceId: string;
  /** Where the Argo CD Application stands. */
  readonly engineNamespace: string;
  readonly ownerUserId: string | undefined;
  readonly namespaceUid: string;
  /** The Argo CD Application is as its row says. */
  readonly applied: boolean;
  /** The runs of others that have not ended: the one under way if there is one, and the first of those that wait. */
  readonly others: readonly QueuedSync[];
}

export interface QueuedSync {
  readonly id: string;
  /** Empty where nobody knows it any more. */
  readonly name: string;
  readonly createdAt: number;
  readonly requested: boolean;
}

/** What Argo CD last said about an application, as far as a run cares. */
export interface ArgoSync {
  readonly syncStatus: string;
  readonly health: Health | undefined;
  /** When Argo CD last compared; undefined: never. */
  readonly comparedAt: number | undefined;
  readonly operation: ArgoOperation | undefined;
}

export interface ArgoOperation {
  readonly phase: string;
  readonly message: string;
  readonly revision: string;
  /** The run that it was started for, where it says so. */
  readonly syncId: string | undefined;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
}

/** All that the rule looks at. */
export interface SeenSync {
  readonly namespace: string;
  readonly name: string;
  readonly run: SyncRun | undefined;
  /** Undefined: there is none, or it goes. Only looked up for a run that has not started. */
  readonly deployment: SyncedDeployment | undefined;
  /** The row of the run and of those before it that had its name. */
  readonly rows: readonly SyncRow[];
  readonly targets: readonly SyncTarget[];
  /** The oldest run of the same deployment that is older and that no row knows yet. Only looked up for a run that has not started. */
  readonly expected: Pick<QueuedSync, 'name' | 'createdAt'> | undefined;
  /** Of the run's own application. */
  readonly argo: ArgoSync | undefined;
}

export type SyncEffect = Effect &
  (
    | { readonly do: 'queue-sync'; readonly id: string; readonly applicationId: string; readonly revision: string }
    | {
        readonly do: 'start-sync';
        readonly id: string;
        readonly applicationId: string;
        readonly revision: string;
        /** It had its row already. */
        readonly queued: boolean;
      }
    | { readonly do: 'ask-again'; readonly id: string; readonly applicationId: string }
    | { readonly do: 'terminate-sync'; readonly id: string; readonly applicationId: string }
    | {
        readonly do: 'finish-sync';
        readonly id: string;
        readonly phase: 'Succeeded' | 'Failed' | 'Error';
        readonly message: string;
        /** Set where Argo CD has to be told to stop. */
        readonly stopApplicationId?: string | undefined;
      }
    | { readonly do: 'forget-sync'; readonly id: string }
    | { readonly do: 'report-sync'; readonly status: SyncRunStatus }
  );

export interface SyncRunStatus {
  readonly conditions: readonly ProbedCondition[];
  readonly syncStatus?: string | undefined;
  readonly health?: Health | undefined;
}

const infoName = 'stagecoach.dev/sync-operation';

/** An entry of `operation.info` of an Argo CD Application: which run the operation is for. Argo CD keeps it with the outcome. */
export function syncInfo(id: string): { readonly name: string; readonly value: string } {
  return { name: infoName, value: id };
}

/** The run that an operation of Argo CD was started for, where it says so. */
export function syncIdOf(info: unknown): string | undefined {
  if (!Array.isArray(info)) return undefined;
  const found = info.find((entry: { name?: unknown } | null) => entry?.name === infoName) as { value?: unknown };
  return typeof found?.value === 'string' ? found.value : undefined;
}

/**
 * Is this operation of Argo CD the one of that run? It says so by its id. One without is judged by what it syncs and when
 * it began; Argo CD tells whole seconds.
 */
export function isOperationOf(
  operation: Pick<ArgoOperation, 'syncId' | 'revision' | 'startedAt'>,
  row: Pick<SyncRow, 'id' | 'revision' | 'requestedAt'>,
): boolean {
  if (operation.syncId !== undefined) return operation.syncId === row.id;
  if (row.requestedAt === undefined || operation.startedAt === undefined) return false;
  return operation.revision === row.revision && operation.startedAt >= Math.floor(row.requestedAt / 1_000) * 1_000;
}

/** Older ones go first; of two from the same second, by name. */
export function isOlder(
  one: Pick<QueuedSync, 'createdAt' | 'name'>,
  other: Pick<QueuedSync, 'createdAt' | 'name'>,
): boolean {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.name < other.name);
}
