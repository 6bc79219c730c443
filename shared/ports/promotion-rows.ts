import type { Sighting, StoredEnd, StoredRun, StoredStep } from '../domain/promotion/promotion.ts';
import type { ObjectKey } from './cluster.ts';
import type { RowWrite } from './journal.ts';

/** What the rows know of one run and of those around it. */
export interface StoredPromotions {
  /** Runs of this name that have not ended. */
  readonly named: readonly StoredRun[];
  /** Runs of this name that have ended. */
  readonly ended: readonly StoredEnd[];
  /** Runs of the application that have not ended. */
  readonly open: readonly StoredRun[];
  /** Of the run itself, with what stands in Git and what Argo CD says. */
  readonly steps: readonly StoredStep[];
}

/** A run, as it is written down. */
export interface KeptRun extends ObjectKey {
  readonly uid: string;
  readonly application: string;
  readonly snapshot: string;
  readonly isAutomated: boolean;
  /** The environments that it names. */
  readonly beginsIn: readonly string[];
  readonly cause: string;
  readonly created: number;
  readonly waiting:
    | {
        readonly reason: string;
        readonly message: string;
        readonly since?: string | undefined;
        readonly until?: string | undefined;
      }
    | undefined;
}

/** A Snapshot that was considered for a promotion of its own. */
export interface ConsideredSnapshot extends ObjectKey {
  readonly uid: string;
  readonly application: string;
  readonly created: number;
  /** Its number among the states of its Application; 0 where nobody has counted it. */
  readonly sequence: number;
  /** Empty: none was needed. */
  readonly run: string;
}

/** The memory of promotions. Times are milliseconds since the epoch. */
export interface PromotionRows {
  /** A text that is the same for the same text and another one for any other. */
  digest(text: string): string;
  /** Without an application, that of whatever had the name. Throws Transient where the database is away. */
  observe(
    run: ObjectKey & { readonly uid?: string | undefined; readonly application?: string | undefined },
  ): Promise<StoredPromotions>;
  /** What is said of GitOpsDeployments, by their names, as it stands to the commit of a Binding. Nothing of those nobody knows. */
  sight(binding: ObjectKey, deployments: readonly string[]): Promise<ReadonlyMap<string, Sighting>>;
  /** A new one waits; of one that is there, only what it waits for is another. */
  keep(run: KeptRun): RowWrite;
  /** A Conflict says that another run of the application has the turn. */
  takeTurn(run: KeptRun, at: number): RowWrite;
  /** Whatever was under way ends with it. */
  end(
    uid: string,
    end: {
      readonly result: 'Success' | 'Failure' | 'Deleted';
      readonly reason: string;
      readonly message: string;
      readonly at: number;
    },
  ): readonly RowWrite[];
  /** With the evidence of it: what was seen once stays as it was seen. */
  keepStep(run: ObjectKey & { readonly uid: string }, step: Omit<StoredStep, 'rendering'>): readonly RowWrite[];
  /**
   * Writes down, at once and before the step that saw it is over, that environments have come to their end: whatever is done
   * on account of it comes after that. Throws Conflict where somebody else has written it.
   */
  settle(run: ObjectKey & { readonly uid: string }, steps: readonly Omit<StoredStep, 'rendering'>[]): Promise<void>;
  /** Which Snapshots of this name were considered, the newest of the application that was, and its newest state. */
  considered(snapshot: ObjectKey & { readonly application: string }): Promise<{
    readonly named: readonly Pick<ConsideredSnapshot, 'uid' | 'sequence'>[];
    readonly newest: Pick<ConsideredSnapshot, 'created' | 'sequence'> | undefined;
    readonly state: { readonly snapshot: string; readonly sequence: number } | undefined;
  }>;
  consider(snapshot: ConsideredSnapshot): RowWrite;
  /** It is gone. */
  forgetSnapshot(uid: string): RowWrite;
}
