import type { ObjectKey } from './cluster.ts';

// What became of promotions, for people: the command line and the console. Moments are text, as in shared/ports/step-reader.ts.

/** Why something waits. */
export interface ToldWait {
  readonly reason: string;
  readonly message: string;
  readonly since: string;
  readonly until: string;
}

/** What Argo CD said of one component. */
export interface ToldEvidence {
  readonly component: string;
  /** The GitOpsDeployment. */
  readonly deployment: string;
  /** Empty, like the rest, until it was seen as it should be. */
  readonly revision: string;
  readonly sync: string;
  readonly health: string;
  readonly operation: string;
  readonly observedAt?: string | undefined;
  /** What it says now, or said when its time was over, where it was not seen as it should be. Undefined: nothing. */
  readonly now?: ToldReport | undefined;
}

/** What Argo CD says of a deployment at the moment. */
export interface ToldReport {
  readonly revision: string;
  readonly sync: string;
  readonly health: string;
  readonly operation: string;
  /** What is wrong, in its own words. */
  readonly trouble: string;
}

/** One environment on the way of a promotion. */
export interface ToldStep {
  readonly environment: string;
  readonly step: number;
  readonly binding: string;
  readonly status: 'in-progress' | 'success' | 'failed';
  readonly reason: string;
  readonly message: string;
  readonly beganAt: string;
  readonly readyAt?: string | undefined;
  readonly endedAt?: string | undefined;
  /** The end of its time, where it was given more of it. */
  readonly extendedTo?: string | undefined;
  readonly commit: string;
  readonly evidence: readonly ToldEvidence[];
}

export interface ToldPromotion extends ObjectKey {
  /** The UID. */
  readonly id: string;
  readonly application: string;
  readonly snapshot: string;
  readonly isAutomated: boolean;
  /** Where it begins, before any step tells: the target of a manual one, the first environments of an automated one. */
  readonly beginsIn: readonly string[];
  /** The snapshot or the run that it was started by. Empty: a person. */
  readonly cause: string;
  readonly state: 'Waiting' | 'Active' | 'Completed';
  readonly result: '' | 'Success' | 'Failure' | 'Deleted';
  readonly reason: string;
  readonly message: string;
  readonly waiting?: ToldWait | undefined;
  readonly createdAt: string;
  readonly startedAt?: string | undefined;
  readonly completedAt?: string | undefined;
  readonly steps: readonly ToldStep[];
}

/** What one environment runs of one application. */
export interface ToldCell {
  readonly namespace: string;
  readonly application: string;
  readonly environment: string;
  readonly binding: string;
  /** What should run. */
  readonly snapshot: string;
  /** The commit that holds it. Empty: none yet. */
  readonly commit: string;
  /** The Git repository holds it. */
  readonly isRendered: boolean;
  readonly sync: string;
  /** The worst of its components. */
  readonly health: string;
  /** Why the repository could not be written. */
  readonly trouble?: { readonly reason: string; readonly message: string; readonly since: string } | undefined;
  /** When the repository got it; until then, when it was asked for. */
  readonly since: string;
}

/** One time that an environment got a snapshot. */
export interface ToldArrival {
  readonly snapshot: string;
  readonly commit: string;
  /** Empty: somebody changed the Binding. */
  readonly promotion: string;
  readonly at: string;
  /** Of the promotion's step, where one brought it. */
  readonly status?: 'in-progress' | 'success' | 'failed' | undefined;
  /** Why the step failed, or what it waits for. */
  readonly message?: string | undefined;
}

export interface PromotionReader {
  /** Those that have not ended, in the order of their turns; of one namespace, or of all. */
  open(namespace?: string): Promise<readonly ToldPromotion[]>;
  /** The last of each application, where it failed and nothing came after it; of one namespace, or of all. */
  failed(namespace?: string): Promise<readonly ToldPromotion[]>;
  /** The newest first; of one application. */
  of(application: ObjectKey, limit: number): Promise<readonly ToldPromotion[]>;
  /** Undefined: nobody knows it. Of several that had the name, the newest. */
  one(promotion: ObjectKey): Promise<ToldPromotion | undefined>;
  /** What runs where; of one namespace, or of all. In the order of namespace, application and environment. */
  board(namespace?: string): Promise<readonly ToldCell[]>;
  /** The newest first. What failed before anything was written is among them, without a commit. */
  history(
    place: { readonly namespace: string; readonly application: string; readonly environment: string },
    limit: number,
  ): Promise<readonly ToldArrival[]>;
  /**
   * Another text after every change that any of the above could tell. Whoever asks for it first, and then for what it
   * stands for, finds every later change under another version; now and then one is another without a change.
   */
  version(): Promise<string>;
}
