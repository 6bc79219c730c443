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

export function gistOf(status: ArgoStatus): StatusGist {
  const { sync, health, operationState, conditions } = status;
  const failed = operationState?.phase === 'Failed' || operationState?.phase === 'Error';
  const error = conditions.find(({ type }) => type.endsWith('Error'))?.message;
  const trouble = error ?? (failed ? operationState.message : ailmentOf(status));
  return {
    sync: truncate(sync?.status ?? '', longestWord),
    revision: truncate(sync?.revision ?? '', longestWord),
    health: truncate(health?.status ?? '', longestWord),
    operation: truncate(operationState?.phase ?? '', longestWord),
    trouble: truncate(withoutCredentials(trouble), longestTrouble),
  };
}

/** What ails most comes first. */
const ailments = ['Degraded', 'Missing', 'Unknown', 'Progressing', 'Suspended'];

/** Why it is not healthy. Argo CD says so of the resources; of the whole only older ones do. */
function ailmentOf({ health, resources }: ArgoStatus): string {
  if (health === undefined || health.status === 'Healthy') return '';
  if (health.message !== '') return health.message;
  const ailing = resources.filter((one) => ailments.includes(one.health?.status ?? ''));
  const [worst] = ailing.toSorted((one, other) => gravityOf(one) - gravityOf(other));
  if (worst?.health === undefined) return '';
  const { kind, name } = worst;
  return `${kind} ${name}${worst.health.message === '' ? ` is ${worst.health.status}` : `: ${worst.health.message}`}`;
}

function gravityOf({ health }: ArgoStatus['resources'][number]): number {
  return ailments.indexOf(health?.status ?? '') + (health?.message === '' ? ailments.length : 0);
}
