import { instantOf } from '../core/instant.ts';
import { type Moment, recheck, type Step } from '../core/step.ts';
import { failOperation, holdOperation } from './end-operation.ts';
import type { LeavingApplication, ObservedOperation, OperationEffect } from './operation.ts';

/** As long as Argo CD may take to remove what an Application has deployed. After that the Application goes without it. */
const patienceSeconds = 300;
/** An Application without finalizers is gone at once; this is for whoever puts them back. */
const strippedSeconds = 120;
/** The end is told to us. This is for the word that got lost, and for the deletion that Argo CD overlooked. */
const againSeconds = 15;

/**
 * Argo CD Applications that have to go, until they are gone. Undefined: none of ours is left.
 *
 * Argo CD removes what they deployed and then lets them go. It overlooks a deletion now and then that was written at the
 * moment of its own write, so one that stays is touched. One that never goes is said to stay: it is no success.
 */
export function decideLeaving(observed: ObservedOperation, moment: Moment): Step<OperationEffect> | undefined {
  const ours = observed.leaving.filter(({ labelled }) => labelled);
  if (ours.length === 0) return undefined;
  const effects = ours.flatMap((application) => push(application, moment.now));
  const names = ours.map(({ name }) => name).join(', ');
  const { waiting } = moment;

  // OBSERVED: it had its time, lost its finalizers, and is still there.
  if (waiting?.reason === 'FinalizersStripped' && moment.now >= waiting.deadline)
    return failOperation(
      observed,
      `Argo CD Application ${names} could not be deleted: it is still there after its finalizers were removed. Look in namespace ${observed.engine.namespace} who puts them back`,
    );

  // OBSERVED: Argo CD did not let it go in time. What it deployed may stay behind.
  if (ours.some(({ deletingSince }) => isOverdue(deletingSince, moment.now)))
    return holdOperation(
      observed,
      recheck(againSeconds, {
        reason: 'FinalizersStripped',
        message: `Argo CD did not delete ${names} within 5 minutes; its finalizers were removed`,
        deadlineSeconds: strippedSeconds,
      }),
      effects,
    );

  return holdOperation(
    observed,
    recheck(againSeconds, {
      reason: 'ApplicationLeaving',
      message: `Argo CD removes what ${names} has deployed`,
      deadlineSeconds: patienceSeconds,
    }),
    effects,
  );
}

/** A touch is a change, and each change has us look again: without its own time the two would chase one another. */
function push({ name, deletingSince, touchedAt, finalizers }: LeavingApplication, now: number): OperationEffect[] {
  if (deletingSince === undefined) return [{ do: 'delete-application', name }];
  if (isOverdue(deletingSince, now)) return finalizers.length === 0 ? [] : [{ do: 'strip-finalizers', name }];
  const isTime = now - (touchedAt ?? deletingSince) >= againSeconds * 1_000;
  return isTime ? [{ do: 'touch-application', name, at: instantOf(now) }] : [];
}

function isOverdue(deletingSince: number | undefined, now: number): boolean {
  return deletingSince !== undefined && now - deletingSince >= patienceSeconds * 1_000;
}
