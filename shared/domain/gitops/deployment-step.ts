import type { Condition } from '../core/condition.ts';
import { instantOf } from '../core/instant.ts';
import { type Knock, type Moment, type Next, recheck, settled } from '../core/step.ts';
import type { ApplicationProgress, Deployment, DeploymentEffect, StoredApplication } from './deployment.ts';
import { applicationName, operationSubject } from './names.ts';
import { say, sayResolved } from './probed-conditions.ts';

// What the two halves of the rule, shared/domain/gitops/decide-deployment.ts and end-deployment.ts, make their steps of.

export const errorOccurred = 'ErrorOccurred';

/** What the user is to read: a fault, that nothing is wrong, or nothing new while nobody can tell. */
type Verdict = { readonly fault: string } | 'well' | undefined;

/** What came of looking, before the user is told. */
export interface Outcome {
  readonly effects: readonly DeploymentEffect[];
  readonly verdict: Verdict;
  readonly next: Next;
}

export function faulty(fault: string, next: Next = settled): Outcome {
  return { effects: [], verdict: { fault }, next };
}

/**
 * The condition, where it is not there yet. The note about it goes with it, and is written after it: where the note got
 * lost in between, the same is said once more.
 */
export function tell(
  { uid, conditions }: Deployment,
  verdict: Verdict,
  { now }: Moment,
  troubled: readonly string[],
): DeploymentEffect[] {
  if (verdict === undefined) return [];
  const at = instantOf(now);
  const isNoted = troubled.includes(uid);
  if (verdict === 'well')
    return sayResolved(conditions, errorOccurred, at) === conditions && !isNoted ? [] : [{ do: 'resolve-error', at }];
  return say(conditions, inCondition(verdict.fault), at) === conditions && isNoted
    ? []
    : [{ do: 'say-error', message: verdict.fault, at }];
}

/** The notes about deployments other than this one, which are no more. Undefined: none of them is. */
export function forgetTroubled(troubled: readonly string[], livingUid: string | undefined): DeploymentEffect[] {
  return troubled.filter((id) => id !== livingUid).map((id) => ({ do: 'forget-trouble', id }));
}

export function inCondition(fault: string): Condition {
  return { type: errorOccurred, status: 'True', reason: errorOccurred, message: fault };
}

export function conditionsOf(verdict: Verdict): Condition[] {
  return verdict === undefined || verdict === 'well' ? [] : [inCondition(verdict.fault)];
}

/** What Argo CD's side refused once it mostly refuses again, so it is not asked often. */
const retrySeconds = 900;
const operationFailed = 'OperationFailed';

/** The last operation failed: the user reads why, and from time to time it is tried again. */
export function failedOperation(id: string, progress: ApplicationProgress, { now, waiting }: Moment): Outcome {
  const { failure, instanceId } = progress;
  const isDue = waiting?.reason === operationFailed && now >= waiting.deadline;
  // An empty text is one that was meant for us, not for the user.
  const verdict = { fault: failure || 'an unknown error occurred' };
  if (isDue && instanceId !== null)
    return { effects: [{ do: 'retry-application', id, instanceId }], verdict, next: settled };
  const message = 'The last change was refused beside Argo CD; it is tried again by itself';
  return {
    effects: [],
    verdict,
    next: recheck(retrySeconds, { reason: operationFailed, message, deadlineSeconds: retrySeconds }),
  };
}

export function removal({ id, instanceId }: StoredApplication): DeploymentEffect {
  return { do: 'delete-application', id, instanceId };
}

/** Those who must hear of it: who tells Argo CD, who tells what it says, the syncs of an application that is no more, and those that waited. Each once. */
export function knocksOf(
  namespace: string,
  effects: readonly DeploymentEffect[],
  gone: readonly StoredApplication[],
  waiting: readonly string[] = [],
): Knock[] {
  const asked = new Set(effects.flatMap((effect) => applicationOf(effect) ?? []));
  const syncRuns = new Set([...gone.flatMap((application) => application.syncRuns), ...waiting]);
  return [
    ...Array.from(asked, (id) => ({
      type: 'operation.requested.v1',
      subject: operationSubject(namespace, 'Application', id),
    })),
    ...effects.flatMap((effect) =>
      effect.do === 'repair-application' && effect.beside !== undefined
        ? [
            {
              type: 'argo-application.changed.v1',
              subject: { namespace: effect.beside, name: applicationName(effect.id) },
            },
          ]
        : [],
    ),
    ...Array.from(syncRuns, (name) => ({ type: 'sync-run.changed.v1', subject: { namespace, name } })),
  ];
}

/** The application that an effect asks an operation for. */
function applicationOf(effect: DeploymentEffect): string | undefined {
  switch (effect.do) {
    case 'create-application':
    case 'update-application':
    case 'retry-application':
    case 'repair-application':
    case 'delete-application':
      return effect.id;
    default:
      return undefined;
  }
}
