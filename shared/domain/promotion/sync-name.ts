import { withSuffix } from '../core/object-name.ts';

const longest = 253;
const digestLength = 10;

/**
 * The GitOpsDeploymentSyncRun that a promotion asks Argo CD for a commit with: the same for the same run, deployment and
 * commit, so that whoever died after making it makes no second one.
 */
export function syncName(
  { uid }: { readonly uid: string },
  deployment: string,
  commit: string,
  digest: (text: string) => string,
): string {
  return withSuffix(deployment, `-${digest(`${uid}/${deployment}/${commit}`).slice(0, digestLength)}`, longest);
}
