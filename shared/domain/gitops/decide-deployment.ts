import { blockedOn, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import { type ApplicationTarget, applicationSpec, longestApplicationSpec } from './application-spec.ts';
import type {
  Deployment,
  DeploymentEffect,
  ObservedDeployment,
  StoredApplication,
  WantedApplication,
} from './deployment.ts';
import {
  closedNamespaceProblem,
  deploymentProblem,
  environmentOnCreate,
  environmentOnUpdate,
} from './deployment-problem.ts';
import {
  conditionsOf,
  failedOperation,
  faulty,
  forgetTroubled,
  knocksOf,
  type Outcome,
  removal,
  tell,
} from './deployment-step.ts';
import { endDeployment } from './end-deployment.ts';
import { applicationName } from './names.ts';
import { chooseEngine, type Tenant, userIdOf } from './placement.ts';

const tooFar =
  'the Argo CD of this namespace runs in another cluster and cannot deploy to the namespace itself: name a GitOpsDeploymentManagedEnvironment in spec.destination.environment';
const amongEngines =
  'nothing is deployed from the namespace of an Argo CD, because it would rule over it: create the GitOpsDeployment in a namespace of its own';
const noArgoCd = 'no Argo CD takes new namespaces at the moment: the deployment goes on by itself as soon as one does';

/** An environment is looked at within moments of its coming; after this, something is wrong with it. */
const unseenSeconds = 60;
const environmentUnseen = 'EnvironmentUnseen';
const environmentFailed = 'EnvironmentFailed';
const environmentLeft = 'EnvironmentLeft';
const environmentGone = 'EnvironmentGone';
const goneMessage = 'The environment that it was deployed to is gone';
/** Who deletes an environment may be about to delete what is deployed there: Argo CD needs the way there to remove it. */
const leftSeconds = 300;
/** The change of what is waited for wakes it; this is for the case that the change goes unnoticed. */
const blockedSeconds = 3_600;

/**
 * Decides what is stored for a GitOpsDeployment, and so what Argo CD is told about it.
 *
 * Identity is the UID: what was stored for an object of the same name and another UID goes, in the same step, whatever
 * becomes of the object of today. Nothing is stored of a deployment with a fault in it, and one that works already stays
 * as it is while its new spec has a fault: the user reads of it in the condition and nothing is half done.
 */
export function decideDeployment(seen: ObservedDeployment, moment: Moment): Step<DeploymentEffect> {
  const { namespace, deployment, applications, waitingSyncRuns, troubled } = seen;

  // OBSERVED: the object is gone or going.
  if (deployment === undefined || deployment.deleting) return endDeployment(seen, moment);

  const stale = applications.filter(({ uid }) => uid !== deployment.uid);
  const current = applications.find(({ uid }) => uid === deployment.uid);
  const outcome = consider(seen, deployment, current, moment);
  const isStored = current !== undefined || outcome.effects.some((effect) => effect.do === 'create-application');
  const effects = [...stale.map(removal), ...forgetTroubled(troubled, deployment.uid), ...outcome.effects];
  return {
    effects: [...effects, ...tell(deployment, outcome.verdict, moment, troubled)],
    conditions: conditionsOf(outcome.verdict),
    // A sync that came before its deployment has what it waited for.
    knocks: knocksOf(namespace, effects, stale, isStored ? waitingSyncRuns : []),
    next: outcome.next,
  };
}

function consider(
  seen: ObservedDeployment,
  deployment: Deployment,
  current: StoredApplication | undefined,
  moment: Moment,
): Outcome {
  const { namespace, name, tenant } = seen;
  const { uid, spec } = deployment;
  const isStored = current !== undefined;

  // OBSERVED: everything in the namespace is about to go. What is not there yet does not come any more.
  if (seen.namespaceEnding && !isStored) return { effects: [], verdict: undefined, next: settled };

  const problem = deploymentProblem({ namespace, name, spec }, { isStored });
  if (problem !== undefined) return faulty(problem);
  if (tenant === undefined)
    return faulty(
      `unable to retrieve the contents of the namespace '${namespace}' containing the API resource '${name}'. Does it exist?`,
    );

  const engine = chooseEngine(tenant);
  if (engine === undefined)
    return faulty(noArgoCd, recheck(60, { reason: 'NoArgoCD', message: noArgoCd, deadlineSeconds: blockedSeconds }));
  if (seen.isEngineNamespace || (engine.local && engine.namespace === namespace)) return faulty(amongEngines);
  if (seen.environment === undefined && !engine.local) return faulty(tooFar);

  const target = chooseTarget(seen, deployment, current, moment);
  if (!('kind' in target)) return target;
  const next = target.kind === 'gone' ? waitForEnvironment(deployment, environmentGone, goneMessage) : settled;
  const application: WantedApplication = {
    id: uid,
    name: applicationName(uid),
    spec: applicationSpec(spec, { namespace, userId: userIdOf(tenant), target }),
    instanceId: current?.instanceId ?? engine.instanceId,
    environmentId: environmentIdOf(target, tenant),
    reconcileAt: deployment.reconcileAt,
  };
  if (new TextEncoder().encode(application.spec).length > longestApplicationSpec)
    return faulty(`the GitOpsDeployment must not be larger than ${longestApplicationSpec} bytes`);
  return compare(seen, application, current, tenant, moment, next);
}

/** Where it goes to; an outcome where that cannot be told yet, or must not be. */
function chooseTarget(
  { environment }: ObservedDeployment,
  deployment: Deployment,
  current: StoredApplication | undefined,
  { now, waiting }: Moment,
): ApplicationTarget | Outcome {
  if (environment === undefined) return { kind: 'local' };
  const isStored = current !== undefined;

  if (environment.state === 'ready') {
    const problem = closedNamespaceProblem(deployment.spec, environment.namespaces, { isStored });
    if (problem === undefined) return { kind: 'environment', id: environment.id };
    return faulty(problem, waitForEnvironment(deployment, 'NamespaceClosed', problem));
  }

  // OBSERVED: it was deployed there, and then the environment was deleted. That was the user's wish, and no error. It
  // stays what it is for a while, and then Argo CD forgets the way there.
  if (environment.state === 'missing' && current?.environmentId === null) {
    const isParted =
      waiting?.reason === environmentGone || (waiting?.reason === environmentLeft && now >= waiting.deadline);
    if (isParted) return { kind: 'gone' };
    const next = waitForEnvironment(deployment, environmentLeft, goneMessage, leftSeconds);
    return { effects: [], verdict: undefined, next };
  }

  const isOverdue =
    waiting?.reason === environmentFailed || (waiting?.reason === environmentUnseen && now >= waiting.deadline);
  if (environment.state === 'unseen' && !isOverdue) {
    const message = 'The environment has not been looked at yet';
    const next = waitForEnvironment(deployment, environmentUnseen, message, unseenSeconds);
    return { effects: [], verdict: undefined, next };
  }
  const message = isStored ? environmentOnUpdate : environmentOnCreate;
  return faulty(message, waitForEnvironment(deployment, environmentFailed, message));
}

/** Whoever looks at environments wakes those that wait for one by this very name. */
function waitForEnvironment(
  { spec }: Deployment,
  reason: string,
  message: string,
  deadlineSeconds = blockedSeconds,
): Next {
  return blockedOn(`GitOpsDeploymentManagedEnvironment ${spec.destination.environment}`, {
    reason,
    message,
    deadlineSeconds,
  });
}

function environmentIdOf(target: ApplicationTarget, { namespaceUid }: Tenant): string | null {
  switch (target.kind) {
    case 'local':
      return namespaceUid;
    case 'environment':
      return target.id;
    case 'gone':
      return null;
  }
}

function compare(
  { progress }: ObservedDeployment,
  application: WantedApplication,
  current: StoredApplication | undefined,
  tenant: Tenant,
  moment: Moment,
  next: Next,
): Outcome {
  if (current === undefined) return { effects: [{ do: 'create-application', ...application }], verdict: 'well', next };

  // OBSERVED: a row that none of us has written. Argo CD may have an Application of either name.
  if (current.name !== application.name)
    return faulty(`the Application is stored as '${current.name}', where '${application.name}' is expected`);

  if (current.spec !== application.spec || current.environmentId !== application.environmentId)
    return { effects: [{ do: 'update-application', ...application }], verdict: 'well', next };

  const { id, reconcileAt } = application;
  const owned: DeploymentEffect[] = current.ownerId === userIdOf(tenant) ? [] : [{ do: 'restore-owner', id }];
  // OBSERVED: the user wants everything looked at, beside Argo CD too. Taking the wish back is none.
  if (reconcileAt !== '' && reconcileAt !== current.reconcileAt) {
    const engine = chooseEngine(tenant);
    const repair: DeploymentEffect = {
      do: 'repair-application',
      id,
      instanceId: current.instanceId,
      asked: reconcileAt,
      beside: engine?.instanceId === current.instanceId ? engine.namespace : undefined,
    };
    return { effects: [...owned, repair], verdict: 'well', next };
  }
  // While an operation is on its way nobody knows of a fault; if it fails, its end knocks.
  const outcome: Outcome =
    progress.failure === null || progress.pending
      ? { effects: [], verdict: 'well', next }
      : failedOperation(application.id, progress, moment);
  return { ...outcome, effects: [...owned, ...outcome.effects] };
}
