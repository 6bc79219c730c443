import { truncate } from '../gitops/truncate.ts';
import { withoutCredentials } from '../gitops/without-credentials.ts';
import type { ArgoStatus } from './argo-status.ts';

/** The few words of a status that others wait for. */
export interface StatusGist {
  readonly sync: string;
  readonly revision: string;
  readonly health: string;
  /** How far the last sync came. */
  readonly operation: string;
  /** What is wrong. Empty: nothing that Argo CD would say. */
  readonly trouble: string;
}

const longestWord = 128;
const longestTrouble = 1_000;

export function gistOf({ sync, health, operationState, conditions }: ArgoStatus): StatusGist {
  const failed = operationState?.phase === 'Failed' || operationState?.phase === 'Error';
  const error = conditions.find(({ type }) => type.endsWith('Error'))?.message;
  const trouble = error ?? (failed ? operationState.message : health?.status === 'Healthy' ? '' : health?.message);
  return {
    sync: truncate(sync?.status ?? '', longestWord),
    revision: truncate(sync?.revision ?? '', longestWord),
    health: truncate(health?.status ?? '', longestWord),
    operation: truncate(operationState?.phase ?? '', longestWord),
    trouble: truncate(withoutCredentials(trouble ?? ''), longestTrouble),
  };
}
