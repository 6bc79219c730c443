import { commitMessage } from '../../shared/domain/binding/commit-message.ts';
import type { RepositoryEffect } from '../../shared/domain/binding/decide-repository.ts';
import type { RepositoryPlan } from '../../shared/domain/binding/plan-repository.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import type { Tree } from '../../shared/ports/gitops-repositories.ts';
import type { LeavingComponent, PendingOverlay, Push, RenderedOverlay } from '../../shared/ports/overlay-rows.ts';
import { Refused } from '../../shared/ports/trouble.ts';
import { planOnTree } from '../../shared/runtime/plan-on-tree.ts';
import type { SeenRepository, Services } from './observe.ts';

/** What came of it: only Git knows. */
export type Outcome =
  | {
      readonly kind: 'written';
      readonly overlays: readonly RenderedOverlay[];
      readonly pruned: readonly LeavingComponent[];
      /** Undefined: everything stood there already. */
      readonly push: Push | undefined;
    }
  /** The host of the repository, or its owner, does not let us. The user has to move. */
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string };

type Plan = RepositoryPlan<PendingOverlay, LeavingComponent>;

const nothingWritten: Outcome = { kind: 'written', overlays: [], pruned: [], push: undefined };

export async function applyRepository(
  { repository, overlays, leaving, credential, isWhole }: SeenRepository,
  { effects }: Step<RepositoryEffect>,
  { gitOpsRepositories }: Services,
  signal: AbortSignal,
): Promise<Outcome> {
  const { namespace: tenant, url, branch } = repository;
  // More is gathered first.
  if (effects.length === 0) return nothingWritten;
  if (credential === undefined)
    return {
      kind: 'refused',
      reason: 'CredentialMissing',
      message: `No GitOpsDeploymentRepositoryCredential of this namespace is for ${url}: create one whose Secret may push to it`,
    };
  let last: { readonly plan: Plan; readonly tree: Tree } | undefined;
  try {
    const written = await gitOpsRepositories.write(
      { tenant, url, branch },
      credential,
      async (tree) => {
        const plan = await planOnTree(tree, overlays, leaving);
        last = { plan, tree };
        return plan.changes.size === 0 ? undefined : { files: plan.changes, message: messageOf(plan, isWhole) };
      },
      signal,
    );
    // Nothing is written without a plan.
    if (last === undefined) return nothingWritten;
    const { plan, tree } = last;
    const push = written.kind === 'pushed' ? { commit: written.commit, parent: written.parent } : undefined;
    return {
      kind: 'written',
      push,
      pruned: plan.pruned,
      overlays: await Promise.all(
        plan.overlays.map(async ({ overlay, results, isChanged, paths }) => ({
          overlay,
          results,
          commit: isChanged && push !== undefined ? push.commit : await holder(overlay, paths, tree),
        })),
      ),
    };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'refused', reason: error.reason, message: error.forUser };
  }
}

function messageOf({ overlays, pruned }: Plan, isWhole: boolean): string {
  const changed = overlays.filter(({ isChanged }) => isChanged).map(({ overlay }) => overlay);
  return commitMessage(
    isWhole ? changed.map((overlay) => ({ ...overlay, cause: 'repair' })) : changed,
    pruned.map(({ name }) => name),
  );
}

/**
 * The commit that holds what was there already: the one that is known, if nothing else was wanted since; otherwise somebody
 * who died wrote it, or a snapshot with the same images did.
 */
async function holder(
  { commit, digest, renderedDigest }: PendingOverlay,
  paths: readonly string[],
  tree: Tree,
): Promise<string | undefined> {
  if (commit !== undefined && digest === renderedDigest) return commit;
  return paths.length === 0 ? tree.head : ((await tree.lastCommitOf(paths)) ?? tree.head);
}
