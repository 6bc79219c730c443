import type { Effect } from '../core/step.ts';
import type { ProjectRows } from './app-project.ts';
import type { EnvironmentRow } from './cluster-secret.ts';
import type { OperationType } from './names.ts';
import type { CredentialsRow } from './repository-secret.ts';

/** The row of an operation that has not ended. */
export interface OperationRow {
  readonly id: string;
  /** Undefined: a repair, which nobody asked for. What was recorded is not trusted then. */
  readonly ownerUserId?: string | undefined;
  readonly state: 'Waiting' | 'In_Progress';
}

/** An Argo CD, and how to reach it. */
export interface EngineRow {
  readonly instanceId: string;
  readonly namespace: string;
  readonly namespaceUid: string;
  readonly clusterId: string;
  readonly local: boolean;
  readonly transport: 'queue' | 'agent';
  readonly host: string;
  readonly token: () => string | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly insecure: boolean;
}

/** Is the Argo CD where the rows say? */
export type EngineState = 'ready' | 'namespace-missing' | 'other-namespace' | 'other-cluster';

export interface TenantRow extends ProjectRows {
  /** The repositories that the project was last written with. */
  readonly recordedRepositories: readonly string[];
  /** Of the project as it was last written beside this Argo CD; undefined: never. */
  readonly digest?: string | undefined;
  /** It has an application, a credential or an environment, or one of its Applications has not gone yet. */
  readonly inUse: boolean;
  /** Other Applications of it are on their way out: Argo CD needs the fence and the clusters until they are gone. */
  readonly leaving: boolean;
  /** The environments that are gone while applications are still deployed to them. */
  readonly deployedTo: readonly string[];
}

export interface ApplicationRow {
  readonly id: string;
  readonly spec: string;
  readonly revision: number;
  readonly appliedRevision: number;
  /** Undefined: it was deleted, and the application is not valid. */
  readonly environment?: EnvironmentRow | undefined;
}

export interface SyncOperationRow {
  readonly id: string;
  readonly revision: string;
  readonly desiredState: string;
  /** Undefined: the application is gone. */
  readonly applicationId?: string | undefined;
  /** False: it waits behind another one. */
  readonly requested: boolean;
  readonly finished: boolean;
}

/** What the rows say about the resource of an operation; no row: it is to go. */
export type ResourceRow =
  | { readonly type: 'Application'; readonly row?: ApplicationRow | undefined }
  | { readonly type: 'ManagedEnvironment'; readonly row?: EnvironmentRow | undefined }
  | { readonly type: 'RepositoryCredentials'; readonly row?: CredentialsRow | undefined }
  | { readonly type: 'SyncOperation'; readonly row?: SyncOperationRow | undefined }
  | { readonly type: 'GitOpsEngineInstance'; readonly row?: undefined };

/** Everything that the rows say about a resource beside one Argo CD, at one moment. */
export interface OperationSight {
  readonly resourceId: string;
  readonly operations: readonly OperationRow[];
  /** Operations about the same resource wait beside another Argo CD, too. */
  readonly elsewhere: boolean;
  /** How the last operation about it ended was a failure. */
  readonly failedBefore: boolean;
  /** The object of the API that stands behind the resource, as far as anybody knows its name. */
  readonly apiName?: string | undefined;
  /** Applications that use what the Secret of the resource opens. */
  readonly dependents: readonly string[];
  readonly engine: EngineRow;
  readonly tenant?: TenantRow | undefined;
  readonly resource: ResourceRow;
}

export type PieceKind = 'project' | 'cluster-secret' | 'repository-secret' | 'application';

/** One object beside an Argo CD: whether it should be there, and what was seen. */
export interface Piece {
  readonly kind: PieceKind;
  readonly name: string;
  readonly wanted: boolean;
  /** trusted: recorded as it should be, and not looked at. unread: never written, and not looked at. foreign: not ours. */
  readonly state: 'trusted' | 'unread' | 'absent' | 'same' | 'differs' | 'deleting' | 'foreign';
  /** It is to be told of another commit: Argo CD looks at Git by itself only every few minutes. */
  readonly hasNewCommit?: boolean | undefined;
}

/** An Argo CD Application that has to go. Times are milliseconds since the epoch. */
export interface LeavingApplication {
  readonly name: string;
  /** It has the label that we give; another one is not touched. */
  readonly labelled: boolean;
  readonly deletingSince?: number | undefined;
  /** When Argo CD was last told that it stays. */
  readonly touchedAt?: number | undefined;
  readonly finalizers: readonly string[];
}

/** An Argo CD Application, as far as a sync cares. */
export interface SyncSight {
  readonly name: string;
  readonly deleting: boolean;
  /** What it was asked to do. */
  readonly asked?: { readonly syncId?: string | undefined } | undefined;
  /** What it does, or did last. */
  readonly state?: { readonly syncId?: string | undefined; readonly phase: string } | undefined;
}

/** All that the rule looks at. */
export interface ObservedOperation {
  /** The tenant's namespace, for whoever has to be told. */
  readonly namespace: string;
  readonly type: OperationType;
  readonly resourceId: string;
  readonly operations: readonly OperationRow[];
  readonly elsewhere: boolean;
  readonly failedBefore: boolean;
  readonly apiName?: string | undefined;
  readonly engine: Pick<EngineRow, 'namespace' | 'transport'>;
  readonly engineState: EngineState;
  /** The Operation object that asked for it. Undefined: it came by the queue. */
  readonly object?: string | undefined;
  /** Why it cannot be done, in words for the user. */
  readonly problem?: string | undefined;
  /** The row is gone. */
  readonly gone: boolean;
  /** Argo CD needs what is to go: for an application that stays, or to remove what one that leaves has deployed. */
  readonly needed: false | 'deployed-to' | 'leaving';
  /** Applications that use what the Secret of the resource opens. */
  readonly dependents: readonly string[];
  /** In the order in which they are written. */
  readonly pieces: readonly Piece[];
  readonly leaving: readonly LeavingApplication[];
  readonly sync?: { readonly row?: SyncOperationRow | undefined; readonly application?: SyncSight | undefined };
}

export type OperationEffect = Effect &
  (
    | { readonly do: `${'create' | 'update' | 'delete'}-${PieceKind}`; readonly name: string }
    | { readonly do: 'refresh-application' | 'strip-finalizers'; readonly name: string }
    | { readonly do: 'touch-application'; readonly name: string; readonly at: string }
    | { readonly do: 'request-sync' | 'terminate-sync' | 'withdraw-sync'; readonly name: string; readonly sync: string }
    | {
        readonly do: 'create-operation-object';
        readonly operation: string;
        readonly repair: boolean;
        readonly at: string;
      }
    | { readonly do: 'delete-operation-object'; readonly name: string }
    | { readonly do: 'refuse-operation-object'; readonly name: string; readonly why: string }
    | { readonly do: 'begin-operation' | 'complete-operation'; readonly operation: string }
    | { readonly do: 'fail-operation'; readonly operation: string; readonly why: string }
  );
