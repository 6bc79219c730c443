import type { OverlayInput } from '../overlay/overlay.ts';

/** What came of one component in the repository: where it stands, or what is wrong with it. */
export type OverlayResult =
  | {
      readonly component: string;
      readonly path: string;
      readonly generatedResources: readonly string[];
    }
  | { readonly component: string; readonly reason: string; readonly message: string };

/** Why a repository could not be written. Times are milliseconds since the epoch. */
export interface RepositoryTrouble {
  readonly reason: string;
  readonly message: string;
  readonly since: number;
  /** When it was last tried. */
  readonly at: number;
}

/** What a Binding of this namespace and name, of today or of before, wants to stand in a repository. */
export interface StoredOverlay {
  /** The UID of the Binding. */
  readonly uid: string;
  readonly repositoryId: string;
  readonly context: string;
  readonly environment: string;
  /** The Binding is gone, and what stands for it is on its way out. */
  readonly isGone: boolean;
  readonly snapshot: string;
  /** The generation of the Binding that asked for it, and the promotion that it named then. */
  readonly generation: number;
  readonly promotion: string;
  readonly promotionUid: string;
  readonly wantedDigest: string;
  readonly wanted: readonly OverlayInput[];
  /** Undefined: nothing stands there yet, or nobody can tell what. */
  readonly renderedDigest: string | undefined;
  /** What was written there last, and whatever else may stand there. */
  readonly rendered: readonly OverlayInput[];
  readonly results: readonly OverlayResult[];
  readonly commit: string | undefined;
  readonly trouble: RepositoryTrouble | undefined;
}
