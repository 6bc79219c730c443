import type { Condition } from '../core/condition.ts';
import { withConditions } from '../core/with-conditions.ts';
import { isSameValue } from '../gitops/merge-patch.ts';
import type { Binding, BindingStatus, BoundApplication, ComponentStatus, SeenBinding } from './binding.ts';
import { considerDeployments, type Deploying } from './consider-deployments.ts';
import { considerOthers, repositoryNotReady, waitingForStatus } from './consider-others.ts';
import { type ComponentState, considerRendering, type Rendering } from './consider-rendering.ts';

/** Everything that there is to say and to do about a Binding. */
export interface Considered {
  /** Undefined: somebody else renders. */
  readonly rendering: Rendering | undefined;
  readonly deploying: Deploying;
  readonly reconciled: Condition;
  /** What has to change before anything can be done. Undefined: nothing. */
  readonly on: string | undefined;
  /** The parts of the status that are ours to write, as they should be, with the times of what is already said. */
  status(now: number): Partial<BindingStatus>;
}

/** Whether all is well with a Binding. What waits for something is no error, for clients that know only that there are errors. */
interface Judgement {
  readonly reconciled: Condition;
  readonly isError: boolean;
}

export function considerBinding(seen: SeenBinding, binding: Binding, application: BoundApplication): Considered {
  return application.isRenderedByOthers
    ? considerRenderedByOthers(seen, binding)
    : considerRenderedByUs(seen, binding, application);
}

function considerRenderedByOthers(seen: SeenBinding, binding: Binding): Considered {
  const word = considerOthers(seen.name, binding);
  const isReady = word.kind === 'ready';
  const components = isReady ? word.components : word.takesBack ? [] : undefined;
  const expected = isReady ? word.components.length : undefined;
  const deploying = considerDeployments(seen, binding, { components, expected });
  const judgement = isReady ? judge(deploying) : waitingOrFailed(word.reconciled);
  return {
    rendering: undefined,
    deploying,
    reconciled: judgement.reconciled,
    on: isReady ? undefined : `SnapshotEnvironmentBinding ${seen.name}`,
    // What they say about the repository stays theirs.
    status: (now) => statusOf(binding, { ...judgement, deploying, postponed: [] }, now),
  };
}

function considerRenderedByUs(seen: SeenBinding, binding: Binding, application: BoundApplication): Considered {
  const { name } = seen;
  const rendering = considerRendering(seen, binding, application);
  const { refreshed, components, postponed, isPending } = rendering;
  const deploying = considerDeployments(seen, binding, rendering);
  const judgement =
    refreshed?.status === 'False'
      ? failed('GitOpsRepoNotReady', repositoryNotReady(name))
      : isPending && !components?.some(({ place }) => place !== undefined)
        ? waitingOrFailed(condition('WaitingForComponentStatus', waitingForStatus(name)))
        : judge(deploying);
  return {
    rendering,
    deploying,
    reconciled: judgement.reconciled,
    on: rendering.on,
    status: (now) => ({
      ...statusOf(binding, { ...judgement, deploying, postponed }, now),
      ...(refreshed && { gitopsRepoConditions: said(binding.status.gitopsRepoConditions, [refreshed], now) }),
      ...(components && { components: components.flatMap((state) => componentStatus(state, binding, now)) }),
    }),
  };
}

/** The parts of the status that are others than what should stand there. */
export function newsOf({ status }: Binding, considered: Considered, now: number): readonly (keyof BindingStatus)[] {
  const parts = Object.entries(considered.status(now)) as [keyof BindingStatus, unknown][];
  return parts.filter(([part, wanted]) => !isSameValue(status[part], wanted)).map(([part]) => part);
}

function judge({ obstacle, taken, unusable }: Deploying): Judgement {
  const [name] = taken;
  const [component] = unusable;
  if (component !== undefined)
    return failed(
      'ErrorGeneratingGitOpsDeployment',
      `There can be no GitOpsDeployment of component ${component}: the names of application, environment and component must be names of objects with at most 63 characters`,
    );
  if (name !== undefined)
    return failed(
      'DeploymentNameTaken',
      `A GitOpsDeployment ${name} is there already and is not this Binding's: delete or rename it`,
    );
  if (obstacle !== undefined)
    return { reconciled: condition(obstacle.reason, obstacle.message), isError: obstacle.isError };
  return {
    reconciled: { type: 'Reconciled', status: 'True', reason: 'Reconciled', message: '' },
    isError: false,
  };
}

function waitingOrFailed(reconciled: Condition): Judgement {
  return { reconciled, isError: reconciled.reason !== 'WaitingForComponentStatus' };
}

function failed(reason: string, message: string): Judgement {
  return { reconciled: condition(reason, message), isError: true };
}

function condition(reason: string, message: string): Condition {
  return { type: 'Reconciled', status: 'False', reason, message };
}

interface Told extends Judgement {
  readonly deploying: Deploying;
  readonly postponed: readonly string[];
}

const deployedType = 'AllComponentsDeployed';

function statusOf(
  { status }: Binding,
  { reconciled, isError, deploying, postponed }: Told,
  now: number,
): Partial<BindingStatus> {
  const isKnown = (type: string): boolean => status.bindingConditions.some((one) => one.type === type);
  const isPostponed = postponed.length > 0;
  const conditions = [
    reconciled,
    ...(isError || isKnown('ErrorOccurred') ? [errorOccurred(isError ? reconciled.message : undefined)] : []),
    ...(isPostponed || isKnown('ConfigurationPending') ? [configurationPending(postponed)] : []),
  ];
  const { deployed } = deploying;
  const one = status.componentDeploymentConditions.filter(({ type }) => type === deployedType).slice(0, 1);
  return {
    bindingConditions: said(status.bindingConditions, conditions, now),
    gitopsDeployments: deploying.told,
    ...(deployed && { componentDeploymentConditions: said(one, [deployed], now) }),
  };
}

/** The same for clients that know no other condition. Undefined: there is no error any more. */
export function errorOccurred(message: string | undefined): Condition {
  const status = message === undefined ? 'False' : 'True';
  return { type: 'ErrorOccurred', status, reason: 'ErrorOccurred', message: message ?? '' };
}

function configurationPending(postponed: readonly string[]): Condition {
  const type = 'ConfigurationPending';
  return postponed.length > 0
    ? { type, status: 'True', reason: 'WaitsForPromotion', message: inWords(postponed) }
    : { type, status: 'False', reason: 'Rendered', message: '' };
}

/** As many as people read. */
const mostWords = 20;

function inWords(postponed: readonly string[]): string {
  const rest = postponed.length - mostWords;
  const listed = postponed.slice(0, mostWords).join(', ');
  return `With the next promotion or change of this Binding come: ${listed}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Nothing is said of a component of which nothing is known yet. */
function componentStatus(state: ComponentState, { status }: Binding, now: number): ComponentStatus[] {
  const { component, place, problem, routeName } = state;
  if (place === undefined && problem === undefined) return [];
  const before = status.components.find(({ name }) => name === component)?.conditions ?? [];
  const type = 'Rendered';
  const rendered: Condition =
    problem === undefined ? { type, status: 'True', reason: 'OK', message: '' } : { type, status: 'False', ...problem };
  return [
    {
      name: component,
      generatedRouteName: place === undefined ? '' : routeName,
      gitOpsRepository: place,
      conditions: said(before, [rendered], now),
    },
  ];
}

function said(
  standing: BindingStatus['bindingConditions'],
  conditions: readonly Condition[],
  now: number,
): BindingStatus['bindingConditions'] {
  return withConditions(standing, conditions, now) ?? standing;
}
