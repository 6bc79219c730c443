import { keepable } from '../core/keepable.ts';
import { truncate } from '../gitops/truncate.ts';
import { withoutCredentials } from '../gitops/without-credentials.ts';
import type { ArgoStatus } from './argo-status.ts';

/** Those words of a status that a deployment repeats after Argo CD. */
export interface StatusWords {
  readonly sync: string;
  readonly revision: string;
  readonly health: string;
  /** How far the last sync came. */
  readonly operation: string;
}

/** The few words of a status that others wait for. */
export interface StatusGist extends StatusWords {
  /** What is wrong. Empty: nothing that Argo CD would say. */
  readonly trouble: string;
  /** What was compared with what, as far as that is not empty. Undefined: it does not say. */
  readonly compared: Readonly<Record<string, string>> | undefined;
}

/** A status, as far as its words go. */
export interface Spoken {
  readonly sync?: { readonly status: string; readonly revision: string } | undefined;
  readonly health?: { readonly status: string } | undefined;
  readonly operationState?: { readonly phase: string } | undefined;
}

const longestWord = 128;
const longestTrouble = 1_000;

export function gistOf(status: ArgoStatus): StatusGist {
  const { operationState, conditions } = status;
  const failed = operationState?.phase === 'Failed' || operationState?.phase === 'Error';
  const error = conditions.find(({ type }) => type.endsWith('Error'))?.message;
  const trouble = error ?? (failed ? operationState.message : (retriedFor(operationState) ?? ailmentOf(status)));
  return {
    ...wordsOf(status),
    trouble: truncate(withoutCredentials(trouble), longestTrouble),
    compared: comparedIn(status),
  };
}

function comparedIn({ sync }: ArgoStatus): StatusGist['compared'] {
  const { source, destination } = sync?.comparedTo ?? {};
  if (source === undefined || destination === undefined) return undefined;
  const { repoURL, path, targetRevision } = source;
  const { name, namespace } = destination;
  const said = Object.entries({ repoURL, path, targetRevision, name, namespace }).filter(([, text]) => text !== '');
  return Object.fromEntries(said.map(([key, text]) => [key, keepable(text)]));
}

/**
 * Why the last attempt failed, while Argo CD waits for the next: a sync that is retried for ever never ends as failed. The
 * number and the time of the attempt are left out, or the same trouble would be told anew with each of them.
 */
function retriedFor(operation: ArgoStatus['operationState']): string | undefined {
  return operation?.message.match(/^(?<why>.+)\. Retrying attempt #\d+ at [^ ]+\.$/s)?.groups?.['why'];
}

/** Of an Application or of a deployment: both have these words at the same places. */
export function wordsOf({ sync, health, operationState }: Spoken): StatusWords {
  return {
    sync: truncate(sync?.status ?? '', longestWord),
    revision: truncate(sync?.revision ?? '', longestWord),
    health: truncate(health?.status ?? '', longestWord),
    operation: truncate(operationState?.phase ?? '', longestWord),
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
