import type { Subject } from '../core/subject.ts';
import type { OperationType } from '../gitops/names.ts';
import type { StatusWords } from '../status/gist-of.ts';

/**
 * A drift pass compares what is there with what the rows say, and the rows with one another. It repairs nothing: for
 * everything that is wrong it knocks once at the door of the function that owns the rule. What is left of deployments that
 * are gone has no such function, and is the one thing that a pass takes away itself (orphans.ts), where it is told to.
 */

/** The parts of a pass, in the order of their first turn. */
export const driftParts = [
  // Before the others: those ask for operations of their own.
  'operations',
  'deployments',
  'managed-environments',
  'credentials',
  'sync-runs',
  'claims',
  'targets',
  'environments',
  'released-applications',
  'components',
  'snapshots',
  'bindings',
  'promotions',
  'repositories',
  'space-requests',
  'applications',
  'cluster-secrets',
  'repository-secrets',
  'projects',
  'namespaces',
  'mappings',
  'orphans',
] as const;
export type DriftPart = (typeof driftParts)[number];

/** What can be wrong, in one word each. */
export type FindingKind =
  /** The object that the rows stand for is gone, or another one has its name. */
  | 'ResourceGone'
  /** An object that nobody has made rows for, or said why not. */
  | 'ResourceWithoutRows'
  /** An object that has changed since anybody looked at it. */
  | 'ChangeUnseen'
  /** A deployment that does not say what Argo CD says of it. */
  | 'StatusDiffers'
  /** Something of ours beside an Argo CD that no row stands for. */
  | 'ArgoObjectWithoutRow'
  | 'ArgoObjectMissing'
  | 'ArgoObjectDiffers'
  /** A mapping that points to nothing. */
  | 'MappingDangling'
  /** The namespace of a tenant is gone, or another one has its name. */
  | 'NamespaceGone'
  /** Something is wanted of a repository, or it was not compared with what should stand in it, for long. */
  | 'RepositoryNeglected'
  /** An operation that nobody finished. */
  | 'OperationStuck'
  /** Something that was deployed for a GitOpsDeployment that is gone. */
  | 'OrphanDeleted';

export interface Finding {
  readonly kind: FindingKind;
  /** What it is about, for the report. */
  readonly subject: Subject;
  /** A sentence for the operator. No secret may stand in it. */
  readonly what: string;
  /** Whom to tell. Undefined where whoever clears up finds it by itself. */
  readonly knock?: { readonly type: string; readonly subject: Subject } | undefined;
  /** The row that goes before an operation.requested.v1. */
  readonly operation?:
    | { readonly type: OperationType; readonly resourceId: string; readonly instanceId: string }
    | undefined;
}

/** A step has this long to make the rows of a new object before somebody asks. */
const newResourceSeconds = 60;

/** A Secret beside an Argo CD is missed when its row is older than this; the original waits as long. */
export const missingSecretSeconds = 30 * 60;

/** An operation that is open for longer than this is knocked for again. */
export const stuckOperationSeconds = 60 * 60;

/** Argo CD takes away what it deployed before its Application goes; this long nobody asks after it. */
export const deletingSeconds = 60 * 60;

/** What a function remembers of a resource, and what the resource says of itself. */
export interface Watched {
  readonly now: number;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly version: string;
  readonly deleting: boolean;
  /** It carries a finalizer of ours. */
  readonly held: boolean;
  /** A condition tells the user what is wrong with it. */
  readonly explained: boolean;
  /** The version up to which its function has looked at it. */
  readonly served: string | undefined;
  /** Its function waits for something, or a knock is on its way to it. */
  readonly awaited: boolean;
}

/**
 * Is it wrong that this resource has no rows? Not where its function knows it as it is and has said why, or waits for
 * something: a user's mistake has no rows on purpose, and to knock about it in every pass would only repeat the words.
 */
export function lacksRows(seen: Watched): boolean {
  if (seen.awaited) return false;
  if (seen.now - seen.created < newResourceSeconds * 1_000) return false;
  // What nobody holds back is on its way out by itself.
  if (seen.deleting) return seen.held;
  return !(seen.explained && hasSeen(seen));
}

/**
 * The same for kinds that have no rows: is it wrong that nobody looks at this resource? It is where nobody ever has, and
 * where it waits for something and nobody remembers that it does.
 */
export function isForgotten(seen: Watched & { readonly untouched: boolean; readonly waits: boolean }): boolean {
  if (seen.awaited || seen.now - seen.created < newResourceSeconds * 1_000) return false;
  return seen.deleting ? seen.held : seen.untouched || seen.waits;
}

/** Was its last change seen by its function? Where the memory has been cleared away, nothing tells that it was not. */
export function isUnseen(seen: Watched): boolean {
  return !seen.awaited && seen.served !== undefined && !hasSeen(seen);
}

function hasSeen({ served, version }: Pick<Watched, 'served' | 'version'>): boolean {
  return served !== undefined && BigInt(served) >= BigInt(version);
}

/**
 * Does a deployment say something else of itself than Argo CD was heard to say? It is told what is new, and only that: what
 * somebody writes over it would stay. Where nothing was heard, nothing can be wrong.
 */
export function isMistold(told: StatusWords, heard: StatusWords): boolean {
  if (heard.sync === '' && heard.health === '') return false;
  // A revision is told together with how it compares.
  const revision = heard.sync === '' ? '' : heard.revision;
  return (
    told.sync !== heard.sync ||
    told.revision !== revision ||
    told.health !== heard.health ||
    told.operation !== heard.operation
  );
}

const errors = new Set(['ErrorOccurred', 'GitOpsDeploymentSyncRunErrorOccurred']);

/** What says, where it is not true, why nothing came of a resource: a connection failed, or others look after it. */
const needs = new Set(['ConnectionInitializationSucceeded', 'DeploymentController']);

/** Do the conditions of a resource say why there is nothing of it? */
export function explains(conditions: readonly { readonly type: string; readonly status: string }[]): boolean {
  return conditions.some(({ type, status }) =>
    errors.has(type) ? status === 'True' : needs.has(type) && status !== 'True',
  );
}
