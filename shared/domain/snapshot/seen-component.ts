import type { StoredApplication } from '../application/application.ts';
import type { ToldPlace } from '../application/repository-place.ts';
import type { Effect } from '../core/step.ts';
import type { Component, FrozenComponent, StoredComponent } from './component.ts';
import type { SeenSnapshot } from './snapshot.ts';

export interface SeenComponent {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: it is gone, or about to go. */
  readonly component: Component | undefined;
  /** The rows of every Component that had this name. */
  readonly stored: readonly StoredComponent[];
  /** All Components of the namespace, read after the rows of the Application. */
  readonly components: readonly Component[];
  /** The one that it belongs to, or belonged to. Without a UID it is not there, or about to go. */
  readonly application: { readonly name: string; readonly uid: string | undefined };
  /** What the rows say of that Application. */
  readonly row: StoredApplication | undefined;
  /** Of what would be frozen now. */
  readonly digest: string;
  /** Asked for, as the Snapshots are, only where that is not the state that was frozen last. */
  readonly isNamespaceGoing: boolean;
  /** Snapshots that may hold it, or have its name. */
  readonly existing: readonly SeenSnapshot[];
  /** Why the API server did not take the Snapshot, a moment ago. */
  readonly refusal: string | undefined;
}

export type SnapshotEffect = Effect &
  (
    | { readonly do: 'create-snapshot'; readonly name: string; readonly sequence: number }
    | {
        readonly do: 'freeze-state';
        readonly snapshot: string;
        readonly sequence: number;
        readonly digest: string;
        readonly frozen: readonly FrozenComponent[];
      }
    | {
        readonly do: 'keep-component';
        readonly uid: string;
        readonly repositoryId: string | undefined;
        readonly context: string;
      }
    | { readonly do: 'end-component'; readonly uid: string }
    | {
        readonly do: 'tell-user';
        readonly at: number;
        readonly gitops?: ToldPlace & { readonly resourceGenerationSkipped: boolean };
      }
  );
