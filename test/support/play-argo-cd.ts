import type { ArgoApplication } from '../../shared/contracts/argo/application.ts';
import { argoApplications } from '../../shared/contracts/kubernetes/kinds.ts';
import { argoNamespace, type GitOpsWorld } from './gitops-world.ts';

type Hands = Pick<GitOpsWorld, 'cluster'>;

async function argoApplicationsOf({ cluster }: Hands): Promise<ArgoApplication[]> {
  const found: ArgoApplication[] = [];
  for await (const page of cluster.list(argoApplications, { namespace: argoNamespace })) found.push(...page);
  return found;
}

/** What Argo CD does with an Application that is being deleted: it takes everything away and lets go of it. */
export async function finishDeletions(hands: Hands): Promise<number> {
  const leaving = (await argoApplicationsOf(hands)).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  for (const { metadata } of leaving)
    await hands.cluster.patch(argoApplications, metadata, { metadata: { finalizers: null } });
  return leaving.length;
}
