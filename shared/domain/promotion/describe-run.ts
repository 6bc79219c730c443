import type { Condition } from '../core/condition.ts';
import { instantOf } from '../core/instant.ts';
import { withConditions } from '../core/with-conditions.ts';
import { isSameValue, meaningful } from '../gitops/merge-patch.ts';
import type { Considered, Ending } from './consider-promotion.ts';
import { type HandOver, handedOverReason, promotedBySomebody } from './hand-over.ts';
import type { JudgedStep, Run, StoredEvidence, StoredRun } from './promotion.ts';
import type { RunStatus, ToldEnvironment, ToldWait } from './run-status.ts';
import { isBegun, toldWait, waitAtFirst, waitOf } from './tell-wait.ts';

type Outcome = Omit<Ending, 'followers'>;
type Told = Omit<JudgedStep, 'wait' | 'isNew'>;

/** What an active run should say. */
export function describeActive(run: Run, stored: StoredRun, considered: Considered, now: number): RunStatus {
  const { steps, begin, ending, handedOver } = considered;
  const begun = begin.map(
    (beginning): ToldEnvironment => ({
      step: beginning.step,
      environmentName: beginning.environment,
      ...(beginning.failure === undefined
        ? {
            status: 'in-progress',
            displayStatus: waitingForDeployments,
            reason: 'Begun',
            waiting: toldWait(waitAtFirst(beginning, now)),
          }
        : {
            status: 'failed',
            displayStatus: `Promotion Failed. ${beginning.failure.message}`,
            reason: beginning.failure.reason,
            endTime: instantOf(now),
          }),
      startTime: instantOf(now),
      commit: '',
      components: [],
    }),
  );
  const wait = ending === undefined ? waitOf(considered, now) : undefined;
  const conditions: Condition[] = [
    errorCondition(ending),
    promotedCondition(ending, wait),
    ...(handedOver === undefined ? [...takenBack(run), ...leftConditions(considered)] : [foreign(handedOver)]),
  ];
  return {
    state: ending === undefined ? 'Active' : 'Completed',
    completionResult: ending?.result,
    environmentStatus: [...steps.map(toldOf), ...begun].toSorted(byStep),
    activeBindings: activeBindings(run, considered),
    waiting: wait,
    promotionStartTime: instantOf(stored.started ?? now),
    completionTime: ending === undefined ? undefined : instantOf(now),
    conditions: withConditions(run.status.conditions, conditions, now) ?? run.status.conditions,
  };
}

/** What a run should say whose turn has not come. */
export function describeWaiting(run: Run, { reason, message, since, until }: ToldWait, now: number): RunStatus {
  const wait = { reason, message, since, until };
  const conditions: Condition[] = [errorCondition(undefined), promotedCondition(undefined, wait), ...takenBack(run)];
  return {
    ...run.status,
    state: 'Waiting',
    waiting: wait,
    conditions: withConditions(run.status.conditions, conditions, now) ?? run.status.conditions,
  };
}

/** What a run should say whose end is known, whatever it does or waits for. */
export function describeEnded(run: Run, end: Outcome, now: number): RunStatus {
  const conditions: Condition[] = [errorCondition(end), promotedCondition(end, undefined)];
  return {
    ...run.status,
    state: 'Completed',
    completionResult: end.result,
    waiting: undefined,
    completionTime: instantOf(now),
    conditions: withConditions(run.status.conditions, conditions, now) ?? run.status.conditions,
  };
}

/** Does it say so already? */
export function isSaid({ status }: Run, wanted: RunStatus): boolean {
  return isSameValue(meaningful(status), meaningful(wanted));
}

/** What a run should say that another controller looks after. Where it never stood in line, nothing else of it is ours. */
export function describeForeign(run: Run, handedOver: HandOver, isInLine: boolean, now: number): RunStatus {
  const wait = toldWait(handedOver);
  const conditions = [...(isInLine ? [promotedCondition(undefined, wait)] : []), foreign(handedOver)];
  return {
    ...run.status,
    ...(isInLine && { waiting: wait }),
    conditions: withConditions(run.status.conditions, conditions, now) ?? run.status.conditions,
  };
}

function foreign({ reason, message }: HandOver): Condition {
  return { type: 'DeploymentController', ...isFalse(reason, `${message}, and this service leaves the run alone`) };
}

/** It was left to another controller, and is ours again. */
function takenBack(run: Run): Condition[] {
  const isForeign = run.status.conditions.some(
    ({ type, status, message }) =>
      type === 'DeploymentController' && status === 'False' && message.startsWith(promotedBySomebody(run.application)),
  );
  return isForeign ? [{ type: 'DeploymentController', ...isTrue('OwnController', '') }] : [];
}

const waitingForDeployments = 'Waiting for the environment binding to create all of the expected GitOpsDeployments.';

export function toldOf(step: Told & Partial<Pick<JudgedStep, 'wait'>>): ToldEnvironment {
  return {
    step: step.step,
    environmentName: step.environment,
    status: step.status,
    displayStatus: displayOf(step),
    reason: step.reason,
    startTime: instantOf(step.began),
    ...(step.ended !== undefined && { endTime: instantOf(step.ended) }),
    ...(step.wait !== undefined && { waiting: toldWait(step.wait) }),
    commit: step.commit,
    components: step.evidence.map(({ component, seen, report }) => {
      const said = seen ?? report;
      // What was said last of a step that has failed is no evidence, and the rows keep no time of it.
      const observed = step.ended === undefined ? said?.observed : seen?.observed;
      return {
        name: component,
        revision: said?.revision ?? '',
        sync: said?.sync ?? '',
        health: said?.health ?? '',
        ...(observed !== undefined && { observedAt: instantOf(observed) }),
      };
    }),
  };
}

/** For these no time has to be over. */
const withoutDelay: readonly string[] = [
  'EnvironmentGone',
  handedOverReason,
  'BindingGone',
  'BindingChanged',
  'BindingRefused',
  'BindingLeaving',
  'BindingNameTaken',
  'SnapshotReplaced',
];

/** The reasons of prove.ts. */
const saidOfDeployments: readonly string[] = [
  'NotReported',
  'DeploymentRefused',
  'OlderPlace',
  'SyncFailed',
  'OlderRevision',
  'NotSynced',
  'NotHealthy',
  'RevisionUnknown',
  'SyncRunning',
];

/** The texts are those that clients of the original know, with what is the matter behind them. */
function displayOf(step: Told): string {
  const { status, reason, message, evidence, ready, ended, began } = step;
  if (status === 'success') return 'All GitOpsDeployments are Synced/Healthy';
  if (status === 'failed' && withoutDelay.includes(reason)) return `Promotion Failed. ${message}`;
  if (status === 'failed') {
    const minutes = Math.round(((ended ?? began) - (ready ?? began)) / 6_000) / 10;
    return `Promotion Failed. Could not be completed in ${minutes} Minutes. ${message}`;
  }
  const missing = evidence.filter((one: StoredEvidence) => one.seen === undefined).map(({ deployment }) => deployment);
  if (missing.length === 0 || !saidOfDeployments.includes(reason))
    return message === '' ? waitingForDeployments : message;
  return `Waiting for following GitOpsDeployments to be Synced/Healthy: ${missing.join(', ')}`;
}

function activeBindings({ status }: Run, { steps, begin, ending }: Considered): readonly string[] {
  if (ending !== undefined) return status.activeBindings;
  const names = [
    ...steps.filter((step) => step.status === 'in-progress').map(({ binding }) => binding),
    ...begin.filter(isBegun).map(({ name }) => name),
  ];
  return names.length === 0 ? status.activeBindings : names.toSorted();
}

function errorCondition(ending: Outcome | undefined): Condition {
  const isError = ending?.result === 'Failure';
  return { type: 'ErrorOccurred', ...(isError ? isTrue('ErrorOccurred', ending.message) : isFalse('', '')) };
}

function promotedCondition(ending: Outcome | undefined, wait: ToldWait | undefined): Condition {
  const type = 'Promoted';
  if (ending?.result === 'Success') return { type, ...isTrue('Success', '') };
  if (ending !== undefined) return { type, ...isFalse(ending.reason, ending.message) };
  return { type, status: 'Unknown', reason: wait?.reason ?? 'InProgress', message: wait?.message ?? '' };
}

function leftConditions({ left }: Considered): Condition[] {
  const external = left.filter(({ why }) => why === 'external');
  if (external.length === 0) return [];
  const told = external.map(({ name, controller }) => `${name} by ${controller}`).join(', ');
  return [
    {
      type: 'DeploymentController',
      ...isFalse('ExternalController', `Environments that others promote to were left out: ${told}`),
    },
  ];
}

function isTrue(reason: string, message: string) {
  return { status: 'True', reason, message } as const;
}

function isFalse(reason: string, message: string) {
  return { status: 'False', reason, message } as const;
}

function byStep(one: ToldEnvironment, other: ToldEnvironment): number {
  return one.step - other.step || (one.environmentName < other.environmentName ? -1 : 1);
}
