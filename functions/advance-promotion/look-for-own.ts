import type { GitOpsDeploymentSyncRun } from '../../shared/contracts/kubernetes/gitops-deployment-sync-run.ts';
import { bindings, components, syncRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { promotedBindingOf } from '../../shared/contracts/promotions.ts';
import { namesToAskFor } from '../../shared/domain/promotion/names-to-ask-for.ts';
import type { Run, SeenPromotion } from '../../shared/domain/promotion/promotion.ts';
import type { World } from '../../shared/runtime/world.ts';

type Services = Pick<World, 'clusters'>;

/**
 * Whether what a run is about to make is there already, made by itself before a crash or by somebody else, and whether what
 * it misses is left out on purpose. Mostly there is nothing to ask.
 */
export async function lookForOwn(
  seen: SeenPromotion,
  run: Run,
  services: Services,
  signal: AbortSignal,
): Promise<SeenPromotion> {
  const { namespace } = seen;
  const { local } = services.clusters;
  const stored = seen.open.find(({ uid }) => uid === run.uid);
  if (stored === undefined) return seen;
  const names = namesToAskFor(seen, run, stored);
  if (names.bindings.length + names.syncs.length === 0 && !names.isMissing) return seen;
  const [bound, asked, skipped] = await Promise.all([
    Promise.all(names.bindings.map((name) => local.read(bindings, { namespace, name }, { signal }))),
    Promise.all(names.syncs.map((name) => local.read(syncRuns, { namespace, name }, { signal }))),
    names.isMissing ? listSkipped(namespace, run, services, signal) : undefined,
  ]);
  const there = bound.filter((one) => one !== undefined);
  const isOf = ({ spec }: (typeof there)[number]): boolean => spec.application === run.application;
  return {
    ...seen,
    skipped,
    bindings: [...seen.bindings, ...there.filter(isOf).map(promotedBindingOf)],
    takenNames: there.map(({ metadata }) => metadata.name),
    syncs: asked.flatMap((one) => (one === undefined ? [] : [{ name: one.metadata.name, problem: problemOf(one) }])),
  };
}

/** The Components of which nothing is written to Git, because they say so. */
async function listSkipped(
  namespace: string,
  { application }: Run,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const page of clusters.local.list(components, { namespace, signal }))
    for (const { spec, metadata } of page)
      if (spec.application === application && spec.skipGitOpsResourceGeneration) names.push(metadata.name);
  return names;
}

function problemOf({ status }: GitOpsDeploymentSyncRun): string {
  const failed = status?.conditions.find(({ type, status: is }) => type === 'ErrorOccurred' && is === 'True');
  return failed?.message ?? '';
}
