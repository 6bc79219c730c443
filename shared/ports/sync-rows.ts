import type { ArgoSync, SeenSync, SyncEffect, SyncRow, SyncTarget } from '../domain/gitops/sync.ts';
import type { RowWrite } from './journal.ts';

/** Which rows to look for. */
export interface SyncSubject {
  readonly namespace: string;
  readonly name: string;
  /** The UID of the run, where there is one. */
  readonly uid: string | undefined;
  /** The deployment that the run names. A row of before decides by itself which it is about. */
  readonly deploymentName: string | undefined;
}

/** What the rows say about a run and everything around it. */
export interface SyncRowsSeen {
  readonly rows: readonly SyncRow[];
  readonly targets: readonly SyncTarget[];
  readonly argo: ArgoSync | undefined;
}

/** The rows of GitOpsDeploymentSyncRuns. */
export interface SyncRows {
  /** One read, at one moment. Throws Transient where the database is away. */
  observe(subject: SyncSubject): Promise<SyncRowsSeen>;
  /** Which of these runs have a row, by their UIDs. */
  known(uids: readonly string[]): Promise<ReadonlySet<string>>;
  /** What an effect means for the rows. Conflict, where another run of the application was faster. */
  write(seen: SeenSync, effect: SyncEffect): readonly RowWrite[];
}
