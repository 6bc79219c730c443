import type { Condition } from '../core/condition.ts';
import type { Binding } from './binding.ts';
import type { ComponentState } from './consider-rendering.ts';

/** What another controller, which renders in our place, says in the status of a Binding. */
export type OthersWord =
  | { readonly kind: 'ready'; readonly components: readonly ComponentState[] }
  | {
      readonly kind: 'not-ready';
      readonly reconciled: Condition;
      /** What was deployed by its word has to go. */
      readonly takesBack: boolean;
    };

/** Considers what stands in a repository that somebody else fills. The texts are those of the original service. */
export function considerOthers(name: string, { status }: Binding): OthersWord {
  const { components, gitopsRepoConditions } = status;
  const last = gitopsRepoConditions.at(-1);
  if (last?.status === 'False') return notReady('GitOpsRepoNotReady', repositoryNotReady(name));
  if (last === undefined && components.length === 0)
    return { ...notReady('WaitingForComponentStatus', waitingForStatus(name)), takesBack: true };
  const names = components.map((one) => one.name);
  const twice = names.find((one, place) => names.indexOf(one) !== place);
  if (twice !== undefined)
    return notReady('DuplicateComponents', `duplicate component keys found in status field in ${twice}`);
  return {
    kind: 'ready',
    components: components.map(({ name: component, generatedRouteName, gitOpsRepository }) => ({
      component,
      place: gitOpsRepository?.url ? gitOpsRepository : undefined,
      routeName: generatedRouteName,
      problem: undefined,
      isLeftOut: false,
      isCurrent: true,
    })),
  };
}

export function repositoryNotReady(name: string): string {
  return `Cannot Reconcile Binding '${name}', since GitOps Repo Conditions status is false.`;
}

export function waitingForStatus(name: string): string {
  return `SnapshotEventBinding Component status is required to generate GitOps deployment, waiting for the Application Service controller to finish reconciling binding '${name}'`;
}

function notReady(reason: string, message: string) {
  const reconciled: Condition = { type: 'Reconciled', status: 'False', reason, message };
  return { kind: 'not-ready', reconciled, takesBack: false } as const;
}
