import type { Knock, Moment } from '../core/step.ts';
import { applicationName } from '../gitops/names.ts';
import type { JudgedStep, Run } from './promotion.ts';

/** Before the first look that nobody knocked for; what is under way is not disturbed sooner. */
const silenceSeconds = 10;

/**
 * Whom a run asks again that has waited for a while for one thing, and has nothing new to say. Between a Binding and what
 * Argo CD says of it stand functions that are woken by events of the cluster. An event can get lost, and the drift pass
 * that finds it comes long after the deadline of a step. None of them knocks back unless it has found something.
 */
export function askAgain(
  namespace: string,
  { application }: Pick<Run, 'application'>,
  steps: readonly JudgedStep[],
  reason: string,
  { now, waiting }: Moment,
): Knock[] {
  if (waiting?.reason !== reason || now - waiting.since < silenceSeconds * 1_000) return [];
  return steps
    .filter(({ status, ready }) => status === 'in-progress' && ready !== undefined)
    .flatMap(({ binding, evidence }) => [
      { type: 'binding.changed.v1', subject: { namespace, name: binding, application } },
      ...evidence
        .filter(({ seen }) => seen === undefined)
        .flatMap(({ deployment, argo }): Knock[] => [
          { type: 'gitops-deployment.changed.v1', subject: { namespace, name: deployment } },
          ...(argo === undefined
            ? []
            : [
                {
                  type: 'argo-application.changed.v1',
                  subject: { namespace: argo.namespace, name: applicationName(argo.applicationId) },
                },
              ]),
        ]),
    ]);
}
