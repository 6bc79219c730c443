import type { GitCredential, RepositoryVerdict } from '../domain/gitops/repo-credential.ts';

/** Whether a credential opens a repository. */
export interface RepositoryProbe {
  /**
   * Asks the host for the branches of the repository. What the other side does is an answer, not an error; only being
   * stopped by the signal is one. The answer has nothing of the credential in it.
   */
  ask(url: string, credential: GitCredential, signal: AbortSignal): Promise<RepositoryVerdict>;
}
