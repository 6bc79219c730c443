import type { ProjectRows } from '../domain/gitops/app-project.ts';
import type { EnvironmentRow } from '../domain/gitops/cluster-secret.ts';
import type { OperationType } from '../domain/gitops/names.ts';
import type { CredentialsRow } from '../domain/gitops/repository-secret.ts';
import type { StatusWords } from '../domain/status/gist-of.ts';

/** The kinds of the API that rows stand for. */
export type MappedKind =
  | 'GitOpsDeployment'
  | 'GitOpsDeploymentManagedEnvironment'
  | 'GitOpsDeploymentRepositoryCredential'
  | 'GitOpsDeploymentSyncRun'
  | 'DeploymentTarget'
  | 'Environment'
  | 'Application'
  | 'Component'
  | 'Snapshot'
  | 'SnapshotEnvironmentBinding'
  | 'PromotionRun';

/** Rows whose key lies behind `after`, up to `through` and including it; without it, to the end. In the order of bytes. */
export interface RowRange {
  readonly after: string;
  readonly through: string | undefined;
  readonly most: number;
}

/** A row of a mapping. */
export interface MappedRow {
  /** `namespace/name uid`. */
  readonly key: string;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Of a GitOpsDeployment: what Argo CD was last heard to say of it, and where that Argo CD is. */
  readonly heard?: (StatusWords & { readonly engineNamespace: string }) | null;
}

/** What the machine remembers about a subject. */
export interface Attention {
  /** `namespace/name`. */
  readonly subject: string;
  readonly served: string | undefined;
  /** Somebody waits for it, or a knock is on its way. */
  readonly awaited: boolean;
}

/** What every row that stands for something beside an Argo CD has. */
export interface ArgoRow {
  /** The key of the row, and by it the name of the object. */
  readonly id: string;
  /** The namespace of the tenant. */
  readonly namespace: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** An operation about it is open: whoever works on it sees what is there. */
  readonly underWay: boolean;
}

export interface ApplicationRow extends ArgoRow {
  readonly userId: string;
  readonly spec: string;
  /** Its environment is there. Without it nothing is deployed. */
  readonly valid: boolean;
}

export type ClusterSecretRow = ArgoRow & EnvironmentRow;

export type RepositorySecretRow = ArgoRow & CredentialsRow;

export interface ProjectRow extends ArgoRow, ProjectRows {
  /** The tenant has something that needs the fence. */
  readonly inUse: boolean;
  /** It was written before. */
  readonly recorded: boolean;
}

export interface StuckOperation {
  readonly id: string;
  readonly type: OperationType;
  readonly resourceId: string;
  readonly instanceId: string;
  readonly namespace: string;
  readonly state: string;
}

export interface DanglingMapping {
  readonly table: string;
  /** What it stands for: the kind of the resource, or `Namespace`. */
  readonly kind: string;
  readonly uid: string;
  readonly relation: string;
  readonly relationKey: string;
  /** Where its resource is, or was; empty for a namespace. */
  readonly namespace: string;
  readonly name: string;
  /** The order in which they are read. */
  readonly seq: number;
}

/** A repository that nobody has brought up to date, or compared with what should stand in it, for long. */
export interface NeglectedRepository {
  readonly id: string;
  readonly namespace: string;
  readonly url: string;
  /** Something is wanted of it, and nobody has said why it does not come. */
  readonly isPending: boolean;
}

/** A tenant, as the rows know it. */
export interface TenantRow {
  readonly id: string;
  readonly namespace: string;
  readonly seq: number;
  /** How many things in the API its rows still stand for. */
  readonly things: number;
}

/** What a drift pass reads. Pages of rows in a known order, never more than `most` at once. */
export interface DriftRows {
  mapped(kind: MappedKind, range: RowRange): Promise<readonly MappedRow[]>;
  /** For each subject, in the order given. */
  attention(functions: readonly string[], subjects: readonly string[]): Promise<readonly Attention[]>;
  applications(instanceId: string, range: RowRange): Promise<readonly ApplicationRow[]>;
  /** Environments that a tenant may use through this Argo CD, but for those of its own cluster. */
  clusterSecrets(instanceId: string, range: RowRange): Promise<readonly ClusterSecretRow[]>;
  repositorySecrets(instanceId: string, range: RowRange): Promise<readonly RepositorySecretRow[]>;
  /** The tenants of this Argo CD that need a project, or were given one. */
  projects(instanceId: string, range: RowRange): Promise<readonly ProjectRow[]>;
  /** In the order of their keys. */
  neglectedRepositories(afterId: string, most: number): Promise<readonly NeglectedRepository[]>;
  /** Which of these have the row of an application. */
  knownApplications(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Which of these are being worked on: an operation about them is open. */
  underWay(type: OperationType, resourceIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The namespaces of these tenants, by the keys of their rows. */
  namespacesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** A page of the mappings behind this place in the order: which of them point to no row. */
  dangling(
    afterSeq: number,
    most: number,
  ): Promise<{ readonly dangling: readonly DanglingMapping[]; readonly looked: number; readonly lastSeq: number }>;
  tenants(afterSeq: number, most: number): Promise<readonly TenantRow[]>;
  /** Operations that are open since before this moment. */
  stuck(since: number, afterId: string, most: number): Promise<readonly StuckOperation[]>;
}
