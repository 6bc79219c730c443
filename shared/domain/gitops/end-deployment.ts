import { blockedOn, type Moment, type Step, settled } from '../core/step.ts';
import { type Deployment, type DeploymentEffect, deploymentFinalizer, type ObservedDeployment } from './deployment.ts';
import {
  conditionsOf,
  failedOperation,
  forgetTroubled,
  knocksOf,
  type Outcome,
  removal,
  tell,
} from './deployment-step.ts';
import { operationSubject } from './names.ts';

/** Argo CD takes minutes for a large application; its end knocks, so this is for the case that nobody does. */
const endingSeconds = 600;

/**
 * Decides what is left to do for a GitOpsDeployment that is gone or going. Rows go at once, Argo CD follows in its own
 * time. Only a user who has set the finalizer waits for it; and with it, the object stays until Argo CD is done.
 */
export function endDeployment(seen: ObservedDeployment, moment: Moment): Step<DeploymentEffect> {
  const { namespace, deployment, applications, troubled } = seen;
  const removed = applications.map(removal);
  const held = isHeld(deployment) ? deployment : undefined;
  const outcome = held === undefined ? over : hold(seen, held, moment);
  const effects = [...removed, ...forgetTroubled(troubled, held?.uid), ...outcome.effects];
  return {
    effects: [...effects, ...(held === undefined ? [] : tell(held, outcome.verdict, moment, troubled))],
    conditions: conditionsOf(outcome.verdict),
    knocks: knocksOf(namespace, effects, applications),
    next: outcome.next,
  };
}

const over: Outcome = { effects: [], verdict: undefined, next: settled };

function isHeld(deployment: Deployment | undefined): deployment is Deployment {
  return deployment?.finalizers.includes(deploymentFinalizer) ?? false;
}

function hold({ namespace, applications, progress }: ObservedDeployment, { uid }: Deployment, moment: Moment): Outcome {
  if (applications.length > 0 || progress.pending) {
    const { name } = operationSubject(namespace, 'Application', uid);
    const message = 'Argo CD takes away what was deployed';
    return {
      ...over,
      next: blockedOn(`Operation ${name}`, { reason: 'ApplicationEnding', message, deadlineSeconds: endingSeconds }),
    };
  }
  if (progress.failure !== null) return failedOperation(uid, progress, moment);
  return { ...over, effects: [{ do: 'remove-finalizer' }] };
}
