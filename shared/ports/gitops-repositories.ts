import type { GitCredential } from '../domain/gitops/repo-credential.ts';

/** A branch of a repository, for one tenant: what one tenant's credential opened is not shown to another. */
export interface RepositoryPlace {
  /** The namespace. */
  readonly tenant: string;
  readonly url: string;
  readonly branch: string;
}

export interface TreeEntry {
  /** From the top of the repository, without a slash in front. */
  readonly path: string;
  readonly kind: 'file' | 'link' | 'submodule';
}

/** Text as it stands. What is no UTF-8 text, or too long to be looked at, is only told apart. */
export type FileContent = { readonly text: string } | 'binary' | 'too-large';

/** A branch at one commit. It can be read until the next write to the same place. */
export interface Tree {
  /** Undefined: the branch is not there, or nothing is in the repository yet. */
  readonly head: string | undefined;
  /** Everything there is, in the order of the paths' bytes. */
  readonly entries: readonly TreeEntry[];
  /** The files among the paths; what is not there, or is no file, is not in the answer. */
  read(paths: Iterable<string>): Promise<ReadonlyMap<string, FileContent>>;
  /** The newest commit that touched any of the paths, a file's or a folder's. Undefined: none did. */
  lastCommitOf(paths: readonly string[]): Promise<string | undefined>;
}

export interface Change {
  /** What stands in a file afterwards; undefined takes it away. What is not named stays as it is. */
  readonly files: ReadonlyMap<string, string | undefined>;
  readonly message: string;
}

/** Says what to change in a branch as it is now. Undefined: nothing. It may be asked again, about a newer commit. */
export type Plan = (tree: Tree) => Promise<Change | undefined>;

export type Written =
  /** Without a parent: it is the first of its branch. */
  | { readonly kind: 'pushed'; readonly commit: string; readonly parent: string | undefined }
  /** The branch, looked at in this very call, has all that the plan wants. */
  | { readonly kind: 'unchanged'; readonly tree: Tree };

/** How two commits stand to one another. */
export interface Question {
  readonly commit: string;
  readonly revision: string;
}

/** Repositories that other people write to as well. */
export interface GitOpsRepositories {
  /**
   * Makes one commit of what the plan wants and pushes it, on top of the commit that the plan was asked about and of no
   * other: where somebody pushed first, the plan is asked again. Throws Conflict where that happens time and again, and
   * Uncertain where the answer to a push was lost; asked once more it finds its commit and makes no second one.
   */
  write(
    place: RepositoryPlace,
    credential: GitCredential | undefined,
    plan: Plan,
    signal: AbortSignal,
  ): Promise<Written>;
  /**
   * Is the commit the revision itself, or one that it stands on? Undefined: the branch has not got both of them. Asks the
   * host only where this machine does not know.
   */
  contains(
    place: RepositoryPlace,
    credential: GitCredential | undefined,
    question: Question,
    signal: AbortSignal,
  ): Promise<boolean | undefined>;
  /** Keeps nothing of the place on this machine any more. */
  forget(place: RepositoryPlace): Promise<void>;
}
