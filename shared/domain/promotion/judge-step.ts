import { deploymentName } from '../binding/deployment-name.ts';
import { keepable } from '../core/keepable.ts';
import type { Choice } from '../environment/choose-place.ts';
import { type HandOver, handedOverReason } from './hand-over.ts';
import { isOurs } from './is-ours.ts';
import { keptMessage } from './kept-message.ts';
import type {
  GraphEnvironment,
  JudgedStep,
  PromotedBinding,
  Report,
  Run,
  SeenPromotion,
  Sighting,
  StoredEvidence,
  StoredStep,
  WantedSync,
} from './promotion.ts';
import { proofOf, whyNot } from './prove.ts';
import { isReplaced, whyReplaced } from './snapshot-replaced.ts';
import { syncName } from './sync-name.ts';
import { whatStands } from './what-stands.ts';

export interface StepSight {
  readonly run: Run;
  readonly environment: GraphEnvironment | undefined;
  readonly binding: PromotedBinding | undefined;
  /** Undefined: not asked for, since there is no claim to wait for. */
  readonly choice: Choice | undefined;
  readonly isRenderedByOthers: boolean;
  /** Undefined: it is gone. */
  readonly snapshot: SeenPromotion['snapshot'];
  /** Undefined: this service promotes the application. */
  readonly handedOver: HandOver | undefined;
  readonly skipped?: readonly string[] | undefined;
  readonly syncs?: readonly { readonly name: string; readonly problem: string }[] | undefined;
  readonly sightings?: ReadonlyMap<string, Sighting> | undefined;
  readonly digest: (text: string) => string;
}

interface Why {
  readonly reason: string;
  readonly message: string;
}

/**
 * Judges how one environment stands. It has succeeded when for every component Argo CD said Synced and Healthy at a
 * revision that has the commit in it which was written for this snapshot; what was seen once is kept, whatever is said
 * later. Anything else waits until its time is over, and then fails with what it waited for.
 */
export function judgeStep(step: StoredStep, sight: StepSight, now: number): JudgedStep {
  if (step.status !== 'in-progress') return { ...step, wait: undefined, isNew: false };
  const { environment, binding, run, snapshot, handedOver } = sight;
  if (handedOver !== undefined) return waitsOrFails(step, handedOver, handedOver.since, handedOver.until, now);
  if (environment === undefined || environment.isDeleting)
    return failed(step, now, { reason: 'EnvironmentGone', message: `Environment ${step.environment} was deleted` });
  if (binding === undefined || binding.isDeleting)
    return failed(step, now, {
      reason: 'BindingGone',
      message: `SnapshotEnvironmentBinding ${step.binding} was deleted`,
    });
  if (binding.snapshot !== run.snapshot)
    return failed(step, now, {
      reason: 'BindingChanged',
      message: `SnapshotEnvironmentBinding ${binding.name} was changed to snapshot ${binding.snapshot} by somebody else`,
    });

  if (isReplaced(snapshot, run, step)) return failed(step, now, whyReplaced(run));

  // Its time stood still while somebody else promoted the application. It has all of it again.
  const isBack = step.reason === handedOverReason;
  const lack = step.ready === undefined ? lackOf(sight.choice) : undefined;
  if (lack !== undefined) {
    const whole = environment.targetDeadlineSeconds * 1_000;
    const extended = isBack ? now + whole : step.extended;
    const until = extended ?? step.began + whole;
    const why = asSaid({ reason: 'TargetNotReady', message: lack }, environment);
    return waitsOrFails({ ...step, extended }, why, step.began, until, now);
  }
  const whole = environment.stepDeadlineSeconds * 1_000;
  const ready = step.ready ?? now;
  // What it had more for its place is not for what comes after that.
  const given = step.ready === undefined ? undefined : step.extended;
  const until = given ?? ready + whole;
  const isLate = isBack || (given === undefined && now > until + awayMs);
  const extended = isLate ? now + (isBack ? whole : graceMs) : given;
  const awaited = { ...step, ready, isLate, extended };
  const full = { ...sight, environment, binding };
  return judgeDeployments(awaited, isLate || step.ready === undefined, full, extended ?? until, now);
}

/**
 * Whoever looks so much later was away, or had too much to do. That is no fault of what is deployed, which has more time then;
 * but once: where everything is always late a run would never come to its end.
 */
const awayMs = 30_000;
/** What happened meanwhile is heard of within this. */
const graceMs = 60_000;

type FullSight = StepSight & { readonly environment: GraphEnvironment; readonly binding: PromotedBinding };

function judgeDeployments(
  step: StoredStep & { readonly ready: number },
  isClockSet: boolean,
  sight: FullSight,
  until: number,
  now: number,
): JudgedStep {
  const { run, environment, binding, snapshot } = sight;
  const stands =
    snapshot === undefined
      ? { reason: 'SnapshotNotFound', message: `Snapshot ${run.snapshot} was deleted` }
      : whatStands(step, { ...sight, snapshotComponents: snapshot.components }, binding);
  if ('reason' in stands) return waitsOrFails(step, asSaid(stands, environment), step.ready, until, now, isClockSet);

  // The first one stays: what was seen before somebody changed the Binding and what is seen after that both hold it.
  const commit = step.commit === '' ? stands.commit : step.commit;
  const looks = stands.parts.map((part) => lookAt(part, step, sight));
  const evidence = looks.flatMap((look) => look.evidence ?? []);
  const syncs = looks.flatMap(({ sync }) => sync ?? []);
  const isNew =
    isClockSet ||
    commit !== step.commit ||
    evidence.some((one) => step.evidence.find(({ component }) => component === one.component)?.seen !== one.seen) ||
    evidence.some((one) => !step.evidence.some(({ component }) => component === one.component));
  const judged = { ...step, commit, evidence, ...(syncs.length > 0 && { syncs }) };
  const why = looks.find((look) => look.why !== undefined)?.why ?? emptyHanded(looks.length, step.environment, run);
  return why === undefined
    ? { ...judged, status: 'success', reason: 'Promoted', message: '', ended: now, wait: undefined, isNew: true }
    : waitsOrFails(judged, asSaid(why, environment), step.ready, until, now, isNew);
}

/** How one component stands. Without a reason it has been seen as it should be. */
interface Look {
  readonly evidence?: StoredEvidence;
  readonly sync?: WantedSync | undefined;
  readonly why?: Why;
}

function lookAt(
  {
    component,
    commit,
    problem,
  }: { readonly component: string; readonly commit: string; readonly problem?: Why | undefined },
  step: StoredStep,
  { run, binding, environment, syncs = [], sightings, digest }: FullSight,
): Look {
  const known = step.evidence.find((one) => one.component === component);
  if (known?.seen !== undefined) return { evidence: known };
  // What runs there is of before, so whatever Argo CD says of it is no proof.
  if (problem !== undefined) return { why: problem };
  const names = { binding: binding.name, application: run.application, environment: step.environment, component };
  const deployment = known?.deployment ?? deploymentName(names, digest);
  const awaited: StoredEvidence = known ?? {
    component,
    deployment,
    seen: undefined,
    report: undefined,
    ...sightings?.get(deployment),
  };
  const { report, isManual } = awaited;
  const seen = proofOf(awaited);
  if (seen !== undefined) return { evidence: { ...awaited, seen } };
  const isAsked = isManual === true && !isThere(report) && isOurs(environment.controller);
  const name = syncName(run, deployment, commit, digest);
  const trouble = isAsked ? (syncs.find((one) => one.name === name)?.problem ?? '') : '';
  return {
    evidence: awaited,
    sync: isAsked ? { name, deployment, revision: commit } : undefined,
    why:
      trouble === ''
        ? whyNot(awaited, commit)
        : { reason: 'SyncFailed', message: `GitOpsDeploymentSyncRun ${name} of component ${component}: ${trouble}` },
  };
}

/**
 * Others have a word in it, and the reason of a hand-over would give the step all of its time again. Whom the environment is
 * given to meanwhile may be why it does not come to a good end.
 */
function asSaid({ reason, message }: Why, { name, controller }: GraphEnvironment): Why {
  const given = `Environment ${name} is promoted to by ${controller} now, and what was begun there is only watched`;
  const whole = isOurs(controller) ? message : `${message}. ${given}`;
  return {
    reason: reason === handedOverReason ? 'NotReady' : keepable(reason),
    message: keptMessage(whole),
  };
}

/** It is deployed and only has to become healthy. */
function isThere(report: Report | undefined): boolean {
  return report?.sync === 'Synced' && report.contains === true;
}

/** Success is evidence, and of nothing there is none. */
function emptyHanded(parts: number, environment: string, { snapshot }: Run): Why | undefined {
  if (parts > 0) return undefined;
  const message = `No component of snapshot ${snapshot} is deployed to environment ${environment}: nothing is written to Git for any of them`;
  return { reason: 'NothingDeployed', message };
}

/** Why there is no place to deploy to yet. Undefined: there is one. */
function lackOf(choice: Choice | undefined): string | undefined {
  if (choice === undefined || choice.kind === 'own-namespace' || choice.kind === 'place') return undefined;
  return choice.message;
}

function waitsOrFails(
  step: Omit<JudgedStep, 'wait' | 'isNew'>,
  why: Why,
  since: number,
  until: number,
  now: number,
  isNew = false,
): JudgedStep {
  const { reason, message } = why;
  if (now >= until) return failed(step, now, { reason, message });
  const deadlineSeconds = Math.ceil((until - since) / 1_000);
  const isTold = step.reason === reason && step.message === message;
  return {
    ...step,
    reason,
    message,
    wait: { reason, message, deadlineSeconds, since, until },
    isNew: isNew || !isTold,
  };
}

function failed(step: Omit<JudgedStep, 'wait' | 'isNew'>, now: number, why: Why): JudgedStep {
  return { ...step, ...why, status: 'failed', ended: now, wait: undefined, isNew: true };
}
