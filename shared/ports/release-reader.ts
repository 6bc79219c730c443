import type { ObjectKey } from './cluster.ts';

/** A commit that was made of a snapshot for one environment. Moments are text, as in shared/ports/step-reader.ts. */
export interface Release {
  readonly commit: string;
  readonly url: string;
  readonly branch: string;
  readonly namespace: string;
  readonly snapshot: string;
  readonly application: string;
  readonly environment: string;
  /** That of the Binding. */
  readonly generation: number;
  /** Empty: nobody promoted it. */
  readonly promotion: string;
  readonly at: string;
}

/** What became of a snapshot. */
export interface SnapshotUse {
  readonly snapshot: string;
  /** How many commits were made of it. */
  readonly commits: number;
  /** The environments whose part of a repository holds it now. */
  readonly runsIn: readonly string[];
  /** Those that it is wanted in, and does not stand in yet. */
  readonly awaitedIn: readonly string[];
}

/** A branch of a repository that the service writes to for one tenant. */
export interface WrittenRepository {
  readonly namespace: string;
  readonly url: string;
  readonly branch: string;
  /** The service made it. Otherwise it is the tenant's. */
  readonly isMade: boolean;
  /** The names of the Bindings that are kept in it. */
  readonly bindings: readonly string[];
  /** Those of them of which the repository holds something else than they want. */
  readonly waiting: readonly string[];
  readonly waitingSince?: string | undefined;
  /** Why it could not be written when that was last tried. */
  readonly trouble?: { readonly reason: string; readonly message: string; readonly since: string } | undefined;
  readonly lastCommit?: { readonly commit: string; readonly at: string } | undefined;
}

/** Which commit was made of which snapshots, for people. Every answer is of one moment; nothing that is sealed is opened. */
export interface ReleaseReader {
  /** Every snapshot of a namespace that a commit was made of or that is wanted somewhere, by name. */
  usesIn(namespace: string): Promise<readonly SnapshotUse[]>;
  /** The commits that were made of a snapshot, newest first. */
  commitsOf(snapshot: ObjectKey): Promise<readonly Release[]>;
  /** What all commits were made of whose id begins so, in lower case; by commit. */
  madeInto(commit: string): Promise<readonly Release[]>;
  /** Those of one namespace, or of all. */
  repositories(namespace?: string): Promise<readonly WrittenRepository[]>;
}
