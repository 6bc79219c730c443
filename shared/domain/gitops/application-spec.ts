import type { DeploymentSpec } from './deployment.ts';
import { clusterSecretName, localDestination, projectName } from './names.ts';

/** Where an application goes: the key of a managed environment, the cluster of Argo CD itself, or nowhere any more. */
export type ApplicationTarget =
  | { readonly kind: 'local' }
  | { readonly kind: 'environment'; readonly id: string }
  | { readonly kind: 'gone' };

interface Placed {
  /** The API namespace, which is where a deployment without an environment goes. */
  readonly namespace: string;
  readonly userId: string;
  readonly target: ApplicationTarget;
}

/** As much as the row of an application holds. */
export const longestApplicationSpec = 65_536;

/**
 * The spec of the Argo CD Application of a deployment, as it is stored. The same deployment always gives the same text, so
 * that a text which differs is a change. Texts that may be empty are written all the same: whoever merges the spec into
 * an Application of before must not leave the old value standing.
 */
export function applicationSpec(
  { source, destination, type, syncOptions, commit }: DeploymentSpec,
  { namespace, userId, target }: Placed,
): string {
  const policy = syncPolicy(type, syncOptions.map(stripped));
  return JSON.stringify({
    source: {
      repoURL: stripped(source.repoURL),
      // Argo CD refuses a path from the root of a disk; users mean the root of the repository.
      path: stripped(source.path).replace(/^\/+/, ''),
      targetRevision: stripped(source.targetRevision),
    },
    destination: { name: destinationName(target), namespace: stripped(destination.namespace) || namespace },
    project: projectName(userId),
    ...(policy !== undefined && { syncPolicy: policy }),
    // Argo CD shows it and does nothing with it. Another commit is another spec, so Argo CD is told to look at once.
    ...(commit !== undefined && { info: [{ name: 'Commit', value: commit }] }),
  });
}

/** Characters that mean something to the shells and parsers on the way; clients rely on it that they are dropped. */
export function stripped(text: string): string {
  return text.replace(/["'`\r\n&;%]/g, '');
}

function destinationName(target: ApplicationTarget): string {
  switch (target.kind) {
    case 'local':
      return localDestination;
    case 'environment':
      return clusterSecretName(target.id);
    case 'gone':
      return '';
  }
}

function syncPolicy(type: string, syncOptions: readonly string[]): object | undefined {
  if (type === 'automated')
    return {
      automated: { prune: true, selfHeal: true, allowEmpty: true },
      syncOptions: ['PrunePropagationPolicy=background', ...syncOptions],
      // It never gives up: the next commit, or the cluster that comes back, may be the cure.
      retry: { limit: -1, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } },
    };
  return syncOptions.length === 0 ? undefined : { syncOptions };
}
