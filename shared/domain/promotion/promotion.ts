import type { OverlayResult, RepositoryTrouble } from '../binding/stored-overlay.ts';
import type { Wait } from '../core/step.ts';
import type { Choice } from '../environment/choose-place.ts';
import type { RunStatus, StepStatus } from './run-status.ts';

// Times are milliseconds since the epoch; in a status they are ISO 8601 texts.

export type Goal =
  | { readonly kind: 'manual'; readonly target: string }
  | { readonly kind: 'automated'; readonly initial: readonly string[] };

/** A PromotionRun, as its rule sees it. */
export interface Run {
  readonly uid: string;
  readonly name: string;
  readonly version: string;
  readonly created: number;
  readonly isDeleting: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly application: string;
  readonly snapshot: string;
  readonly goal: Goal;
  /** What it was started by. Empty: a person. */
  readonly cause: string;
  /** Of the Snapshot that it was started for. Empty: a person has started it, and named whatever goes by the name. */
  readonly snapshotUid: string;
  readonly status: RunStatus;
}

/** Where a run stands in the line of its application. */
export interface LinedRun {
  readonly uid: string;
  readonly name: string;
  readonly created: number;
}

/** How a run ended, as the rows remember it. */
export interface StoredEnd {
  readonly uid: string;
  readonly result: 'Success' | 'Failure' | 'Deleted';
  readonly reason: string;
  readonly message: string;
  readonly started: number | undefined;
  readonly at: number;
}

/** A run as the rows know it. */
export interface StoredRun extends LinedRun {
  readonly application: string;
  readonly state: 'Waiting' | 'Active' | 'Completed';
  /** When its turn came. */
  readonly started: number | undefined;
  readonly waiting:
    | {
        readonly reason: string;
        readonly since: number;
        /** What it said of it, and how long it would wait. */
        readonly message?: string | undefined;
        readonly until?: number | undefined;
      }
    | undefined;
}

/** What Argo CD last said of a deployment. */
export interface Report {
  /** The row of the Argo CD Application. */
  readonly applicationId: string;
  readonly sync: string;
  readonly revision: string;
  readonly health: string;
  /** How far its last sync came. */
  readonly operation: string;
  /** What is wrong, in the words of Argo CD. */
  readonly trouble: string;
  readonly observed: number;
  /** The revision has the commit in it. Undefined: nobody can tell yet. */
  readonly contains: boolean | undefined;
  /** It is about where the deployment came from or went to before. */
  readonly isElsewhere?: boolean | undefined;
}

/** One component whose deployment a step waits for. */
export interface StoredEvidence {
  readonly component: string;
  /** The GitOpsDeployment. */
  readonly deployment: string;
  /** What was seen when it was as it should be. It stays, whatever is said later. */
  readonly seen: Omit<Report, 'trouble' | 'contains' | 'isElsewhere'> | undefined;
  /** What is said now. Undefined: nothing. */
  readonly report: Report | undefined;
  /** The Argo CD Application, and the namespace of its Argo CD. Undefined: none was asked for yet. */
  readonly argo?: { readonly namespace: string; readonly applicationId: string } | undefined;
  /** Argo CD deploys it only when it is asked to. */
  readonly isManual?: boolean | undefined;
  /** Something is wrong with the GitOpsDeployment: Argo CD is not told what it says now. */
  readonly isRefused?: boolean | undefined;
}

/** What the rows say of a deployment, whether anybody has begun to wait for it or not. */
export type Sighting = Pick<StoredEvidence, 'report' | 'argo' | 'isManual' | 'isRefused'>;

/** What stands in Git for the Binding of a step. */
export interface StoredRendering {
  readonly snapshot: string;
  /** The UID of the run that asked for it. */
  readonly promotionUid: string;
  readonly generation: number;
  readonly isRendered: boolean;
  readonly commit: string;
  readonly results: readonly OverlayResult[];
  readonly trouble: RepositoryTrouble | undefined;
}

/** One environment on the way, as the rows know it. */
export interface StoredStep {
  readonly environment: string;
  readonly step: number;
  readonly binding: string;
  readonly status: StepStatus;
  readonly reason: string;
  readonly message: string;
  readonly began: number;
  /** When its place was ready: from then on its time runs. */
  readonly ready: number | undefined;
  /** How long it has, where nobody looked while its time ran out. */
  readonly extended?: number | undefined;
  readonly ended: number | undefined;
  readonly commit: string;
  /** What stood in the Binding before, where somebody else renders: see what-stands.ts. Empty: we do, or nothing is known. */
  readonly before: string;
  /** Of the Snapshot that it began with. Empty: nobody noted it. */
  readonly snapshotUid: string;
  readonly evidence: readonly StoredEvidence[];
  readonly rendering: StoredRendering | undefined;
}

/** An Environment, as far as promotion goes. */
export interface GraphEnvironment {
  readonly name: string;
  readonly parent: string;
  readonly isDeleting: boolean;
  readonly isAutomated: boolean;
  /** Who promotes there. Empty: this service. */
  readonly controller: string;
  /** It has a claim to wait for. */
  readonly isClaiming: boolean;
  readonly stepDeadlineSeconds: number;
  readonly targetDeadlineSeconds: number;
}

/** The Binding of an application and an environment. */
export interface PromotedBinding {
  readonly name: string;
  readonly version: string;
  readonly generation: number;
  readonly created: number;
  readonly isDeleting: boolean;
  readonly environment: string;
  readonly snapshot: string;
  /** The UID of the run that wrote the snapshot into it; empty where a person did. */
  readonly promotionUid: string;
  /** What the run that wrote the snapshot noted of what stood before it: see StoredStep. Undefined: none has noted anything. */
  readonly noted: { readonly snapshotUid: string; readonly before: string } | undefined;
  /** What it says of each component: where it stands, and what is wrong with it. */
  readonly components: readonly {
    readonly name: string;
    readonly commit: string;
    readonly path: string;
    /** The repository that the commit is in. */
    readonly repository?: { readonly url: string; readonly branch: string } | undefined;
    readonly problem: { readonly reason: string; readonly message: string } | undefined;
  }[];
  readonly deployments: readonly { readonly component: string; readonly name: string }[];
  /** What it says of the repository. */
  readonly refreshed:
    | { readonly isOk: boolean; readonly message: string; readonly generation: number | undefined }
    | undefined;
  /** Why its GitOpsDeployments are not as they should be. Undefined: they are, as far as it knows. */
  readonly problem?: { readonly reason: string; readonly message: string } | undefined;
}

export interface SeenPromotion {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: it is gone. */
  readonly run: Run | undefined;
  /** Rows of runs of this name that have not ended, whichever UID they had. */
  readonly named: readonly StoredRun[];
  /** Rows of this run's application that have not ended, its own among them. */
  readonly open: readonly StoredRun[];
  /** Its own end, where the rows have one. */
  readonly end?: StoredEnd | undefined;
  /** Runs of the application that have not ended, as the cluster knows them. Only asked where it may be this one's turn. */
  readonly line: readonly LinedRun[];
  readonly steps: readonly StoredStep[];
  readonly isNamespaceGoing: boolean;
  readonly application:
    | { readonly uid: string; readonly controller: string; readonly isRenderedByOthers: boolean }
    | undefined;
  readonly snapshot:
    | { readonly uid: string; readonly application: string; readonly components: readonly string[] }
    | undefined;
  /** The Components of the application, for a Binding that has to be made. */
  readonly components: readonly string[];
  readonly environments: readonly GraphEnvironment[];
  readonly bindings: readonly PromotedBinding[];
  /** Where the environments deploy to that a step waits for. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** The names of runs that are there already, among those that this one would make. */
  readonly followers: readonly string[];
  /** The Components of the application of which nothing is written to Git. Undefined: nobody asked. */
  readonly skipped?: readonly string[] | undefined;
  /** Names that this run would give to Bindings and that others have. */
  readonly takenNames?: readonly string[] | undefined;
  /** The syncs that it would ask for and that are there, and what is wrong with them. */
  readonly syncs?: readonly { readonly name: string; readonly problem: string }[] | undefined;
  /** What is said of deployments that nobody has waited for so far, by their names. */
  readonly sightings?: ReadonlyMap<string, Sighting> | undefined;
  readonly digest: (text: string) => string;
}

/** A sync that Argo CD has to be asked for, at the commit that was written for the snapshot. */
export interface WantedSync {
  /** Of the GitOpsDeploymentSyncRun. */
  readonly name: string;
  readonly deployment: string;
  readonly revision: string;
}

/** How a step stands after a look at it. */
export interface JudgedStep extends Omit<StoredStep, 'rendering' | 'evidence'> {
  readonly evidence: readonly StoredEvidence[];
  /** Undefined: it has ended. */
  readonly wait: (Wait & { readonly since: number; readonly until: number }) | undefined;
  /** Something of it is to be written down. */
  readonly isNew: boolean;
  /** Nobody has looked for long, and much may have happened. */
  readonly isLate?: boolean | undefined;
  /** The syncs that it does not come about without. */
  readonly syncs?: readonly WantedSync[] | undefined;
}
