import type { Part } from '../../infra/embedded/start-embedded.ts';
import { findProgram } from '../../infra/find-program.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The demo keeps to what this process starts: nobody finds a sample application in a cluster or a Git host of their own. */
export function checkDemo({ real }: { readonly real: boolean }, environment: Environment): void {
  const isGiven = (name: string): boolean => (environment[name] ?? '') !== '';
  const cluster = ['KUBECONFIG', 'KUBERNETES_SERVICE_HOST'].find(isGiven);
  if (cluster !== undefined && !real)
    throw new Error(
      `--demo makes a sample application, and ${cluster === 'KUBECONFIG' ? 'a kubeconfig' : cluster} names a cluster of yours: start it without, on a cluster of its own`,
    );
  if (isGiven('GIT_ROOT_URL'))
    throw new Error('--demo makes a repository, and GIT_ROOT_URL names a Git host of yours: start it without');
  if (findProgram('git', environment['PATH'] ?? '') === undefined)
    throw new Error(
      '--demo deploys from a git repository, and git is not installed: install it, or start without --demo',
    );
}

/** Without an Argo CD a promotion would wait until its time is over. */
export function checkParts(standIns: readonly Part[]): void {
  const missing = standIns.find((part) => part.missing !== undefined);
  if (missing !== undefined)
    throw new Error(`--demo needs ${missing.name}, and that is not started: ${missing.missing}`);
}
