import type { GitCredential } from '../domain/gitops/repo-credential.ts';

/** The service's own place for repositories, below which nobody but the service makes any. */
export interface RepositoryHost {
  /** The address below which repositories are made. Undefined: the service has no such place. */
  readonly root: string | undefined;
  /** What opens the repositories below it, as it is now. Throws Transient where it cannot be read. */
  credential(): GitCredential;
  /**
   * Makes an empty repository, where the host does that on request; many make it when something is first pushed. One that
   * is there stays as it is. Throws Refused where the host does not let us in, and Transient where it is away.
   */
  make(url: string, signal: AbortSignal): Promise<void>;
}
