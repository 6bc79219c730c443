import type { Target, TargetAccess } from './target.ts';

/** Nothing says how to reach it: it is not there yet. */
export function isReachable({ access }: { readonly access: TargetAccess }): boolean {
  return access.defaultNamespace !== '' || access.apiURL !== '' || access.clusterCredentialsSecret !== '';
}

/** May a claim have it that does not name it? One that was used before is not given away by itself. */
export function isBindable(target: Target): boolean {
  return (
    target.claim === undefined &&
    !target.isDeleting &&
    (target.phase === '' || target.phase === 'Pending' || target.phase === 'Available') &&
    isReachable(target)
  );
}
