import type { Said } from '../core/condition.ts';
import type { Effect } from '../core/step.ts';
import type { StoredCredential } from '../gitops/decide-repo-credential.ts';
import type { Tenant } from '../gitops/placement.ts';
import type { GitCredential } from '../gitops/repo-credential.ts';
import type { FrozenComponent } from '../snapshot/component.ts';
import type { RepositoryPlace, ToldPlace } from './repository-place.ts';

/** An Application, as far as its rule looks at it. */
export interface Application {
  readonly uid: string;
  readonly isDeleting: boolean;
  /** Somebody else writes to Git for it. */
  readonly isRenderedByOthers: boolean;
  /** As the user wrote it; an empty url asks the service for a repository. */
  readonly repository: { readonly url: string; readonly branch: string; readonly context: string };
  readonly said: readonly Said[];
  /** Where it says that it is kept. */
  readonly gitops: ToldPlace | undefined;
}

/** An Application as the rows have it: where it is kept, and the state of it that was frozen last. */
export interface StoredApplication {
  readonly uid: string;
  /** Undefined: it has no place yet, or somebody else renders. */
  readonly repository: (RepositoryPlace & { readonly repositoryId: string }) | undefined;
  /** Grows by one with every state that is frozen; 0: none was. */
  readonly sequence: number;
  /** The Snapshot of that state, and the digest of what is in it. */
  readonly snapshot: string;
  readonly digest: string;
  /** What is in it of each Component. Snapshots may be deleted; this stays. */
  readonly frozen: readonly FrozenComponent[];
}

export interface SeenApplication {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: it is gone. */
  readonly application: Application | undefined;
  readonly isNamespaceGoing: boolean;
  /** Of every Application that had this name, as the credentials are. */
  readonly stored: readonly StoredApplication[];
  readonly credentials: readonly StoredCredential[];
  /** Below it the service makes repositories. Undefined: it has no such place. */
  readonly root: string | undefined;
  /** What opens the repositories below it, and who is to read them. Looked for only where one of them is wanted. */
  readonly own: { readonly credential: GitCredential; readonly tenant: Tenant } | undefined;
  /** The Components of the Application. Listed only where they have to look. */
  readonly components: readonly string[];
  /** Why the host did not make the repository, a moment ago. */
  readonly refusal: string | undefined;
}

/** What opens a repository is not told here: whoever stores it takes it from what was seen. */
export type ApplicationEffect = Effect &
  (
    | { readonly do: 'make-repository'; readonly url: string }
    | { readonly do: 'keep-place'; readonly uid: string; readonly place: RepositoryPlace | undefined }
    | { readonly do: 'store-credential'; readonly uid: string; readonly url: string }
    | { readonly do: 'remove-credential' | 'forget-application'; readonly uid: string }
    /** Without `gitops`, what is told of the place stays; null takes it back. */
    | { readonly do: 'tell-user'; readonly at: number; readonly gitops?: ToldPlace | null }
  );
