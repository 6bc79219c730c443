import type { Lately } from '../domain/binding/decide-repository.ts';
import type { OverlayResult, StoredOverlay } from '../domain/binding/stored-overlay.ts';
import type { OverlayInput } from '../domain/overlay/overlay.ts';
import type { ObjectKey } from './cluster.ts';
import type { RowWrite } from './journal.ts';

/** A branch of a repository that the service writes to for one tenant. */
export interface RepositoryRow {
  readonly id: string;
  readonly namespace: string;
  readonly url: string;
  readonly branch: string;
  /** The service made it, and opens it with its own credential. */
  readonly isMade: boolean;
}

/** What a Binding wants to stand in a repository from now on. */
export interface WantedOverlay extends ObjectKey {
  /** The UID of the Binding. */
  readonly uid: string;
  readonly application: string;
  readonly environment: string;
  readonly repositoryId: string;
  readonly context: string;
  readonly snapshot: string;
  readonly generation: number;
  readonly promotion: string;
  readonly promotionUid: string;
  readonly inputs: readonly OverlayInput[];
  readonly digest: string;
  /** What it was asked for because of, in a word or two. */
  readonly cause: string;
  /** All that may stand in the repository of what is asked for, by this row, until now. Absent: nothing. */
  readonly standing?: readonly OverlayInput[] | undefined;
  /** Those components of which it is certain that they stand as the row says. Absent: none. */
  readonly certain?: readonly string[] | undefined;
}

/** One that is to be brought into its repository, or taken out of it. */
export interface PendingOverlay extends WantedOverlay {
  readonly isGone: boolean;
  /** What stands there now: components that are not wanted any more have to go. */
  readonly rendered: readonly OverlayInput[];
  readonly renderedContext: string;
  readonly renderedDigest: string | undefined;
  readonly commit: string | undefined;
  /** Milliseconds since the epoch, by the clock of the rows. */
  readonly requestedAt: number;
}

/** A Component that is no more, and whose directory is to go. */
export interface LeavingComponent {
  readonly uid: string;
  readonly name: string;
  readonly context: string;
  /** The UIDs of the Bindings whose overlays stand on it. */
  readonly holders: readonly string[];
}

/** Everything that is to be done in one repository. */
export interface RepositoryWork {
  readonly repository: RepositoryRow;
  /** All of them where `whole` was asked for, otherwise those that differ from what stands there. */
  readonly overlays: readonly PendingOverlay[];
  readonly leaving: readonly LeavingComponent[];
  /** It is some time since all of it was compared with what should stand there. */
  readonly isCheckDue: boolean;
  readonly lately: Lately;
}

/** What a step has done in a repository. */
export interface RenderedOverlay {
  readonly overlay: PendingOverlay;
  readonly results: readonly OverlayResult[];
  /** The commit that holds it. Undefined: there is none, as nothing was ever written. */
  readonly commit: string | undefined;
}

export interface Push {
  readonly commit: string;
  /** Undefined: the branch was empty. */
  readonly parent: string | undefined;
}

/** Where what Bindings want is kept, and which commit was made of which snapshots. */
export interface OverlayRows {
  observe(binding: ObjectKey): Promise<readonly StoredOverlay[]>;
  /** The names of all Bindings that rendered the same application into the same environment. */
  rivals(pair: {
    readonly namespace: string;
    readonly application: string;
    readonly environment: string;
  }): Promise<readonly string[]>;
  want(overlay: WantedOverlay): RowWrite;
  /** The Binding is gone, or stands back behind another one: what stands for it has to go, as far as nobody else wants it. */
  leave(uid: string): RowWrite;
  /** Somebody else writes to the repository from now on, and everything in it is theirs. */
  forget(uid: string): RowWrite;
  /** Undefined: nobody knows this repository any more. */
  work(repositoryId: string, options: { readonly whole: boolean }): Promise<RepositoryWork | undefined>;
  /** What stands in the repository now. Only over what was seen: whoever asked for something else meanwhile is served next. */
  rendered(repository: RepositoryRow, done: RenderedOverlay): readonly RowWrite[];
  /** A commit of ours is in the branch, on the one that was its head. */
  pushed(repositoryId: string, push: Push): RowWrite;
  pruned(component: LeavingComponent): RowWrite;
  refused(overlay: PendingOverlay, trouble: { readonly reason: string; readonly message: string }): RowWrite;
  checked(repositoryId: string): RowWrite;
}
