import { blockedOn, type Knock, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import { askFor, finish, followSync, isOpen, nextInLine, recheckSeconds, syncDeadlineSeconds } from './follow-sync.ts';
import type { Said } from './probed-conditions.ts';
import { isOlder, type SeenSync, type SyncEffect, type SyncRow, type SyncRun } from './sync.ts';
import { missingText, notWrong, right, tellSync, wrong } from './tell-sync.ts';

/** How long a run waits for its deployment, and a stop for its end. */
const daySeconds = 86_400;
/** A deployment that has just been made is ready in no time; one that takes longer has something to say about it. */
const patienceSeconds = 60;
/** A run that is there is looked at within moments; one that is not, for whatever reason, holds up nobody for long. */
const expectedSeconds = 60;
/** The columns of a revision, in bytes. */
const longestRevision = 256;

/**
 * Decides what becomes of one GitOpsDeploymentSyncRun: it waits for its deployment and for its turn, is asked for once, is
 * followed until Argo CD shows its end, and is stopped where it was deleted before that.
 *
 * Two runs of one deployment are never under way at once, and none is forgotten while Argo CD may still work on it.
 */
export function decideSync(seen: SeenSync, moment: Moment): Step<SyncEffect> {
  const run = seen.run?.deleting === true ? undefined : seen.run;

  // OBSERVED: rows of a run that is gone, perhaps with a new one in its place, which has to wait for the end of the old.
  const left = seen.rows.filter(({ id }) => id !== run?.uid);
  if (left.length > 0) return clearAway(seen, left, run !== undefined, moment);
  if (run === undefined) return { effects: [], conditions: [], knocks: [], next: settled };

  const row = seen.rows.find(({ id }) => id === run.uid);
  // OBSERVED: it is over. Nothing more comes of it, whatever becomes of the deployment.
  if (row?.finishedAt !== undefined) {
    const said = row.phase === 'Succeeded' ? right : wrong(row.message);
    return { effects: tellSync(run, row, { said }, moment), conditions: [said], knocks: [], next: settled };
  }
  return row?.requestedAt === undefined ? start(seen, run, row, moment) : followSync(seen, run, row, moment);
}

/** A run that Argo CD was not asked for yet. */
function start(seen: SeenSync, run: SyncRun, row: SyncRow | undefined, moment: Moment): Step<SyncEffect> {
  const { deployment } = seen;
  const deploymentName = row?.deploymentName ?? run.deploymentName;
  const on = `GitOpsDeployment ${deploymentName}`;

  // OBSERVED: it stood in line for an application that is gone. There may be another of the same name by now.
  if (row !== undefined && (row.applicationId === undefined || isOther(deployment?.uid, row.applicationId)))
    return {
      effects: [{ do: 'forget-sync', id: row.id }],
      conditions: [],
      knocks: [...nextInLine(seen, row.applicationId), self(seen)],
      next: settled,
    };

  // OBSERVED: no deployment. It may come later; a day is enough to wait for it.
  if (deployment === undefined) {
    const missing = missingText(deploymentName);
    const gaveUp = `${missing}; gave up waiting for it after 24 hours`;
    const isOver = run.conditions.some(({ status, message }) => status === 'True' && message === gaveUp);
    if (isOver || isPast('DeploymentMissing', moment)) return say(run, row, wrong(gaveUp), settled, moment);
    const wait = { reason: 'DeploymentMissing', message: missing, deadlineSeconds: daySeconds };
    return say(run, row, wrong(missing), blockedOn(on, wait), moment);
  }

  // OBSERVED: Argo CD syncs it by itself. Whoever makes it manual wakes the run.
  if (deployment.type !== 'manual') {
    const message = `invalid GitOpsDeploymentSyncRun '${seen.name}'. Syncing a GitOpsDeployment with Automated sync policy is not allowed`;
    if (row !== undefined) return finish(seen, run, row, { phase: 'Error', message }, moment);
    const wait = { reason: 'DeploymentAutomated', message, deadlineSeconds: daySeconds };
    return say(run, row, wrong(message), blockedOn(on, wait), moment);
  }

  const revision = row?.revision ?? (run.revisionId || deployment.targetRevision || 'HEAD');
  const bytes = new TextEncoder().encode(revision).length;
  if (bytes > longestRevision)
    return say(
      run,
      row,
      wrong(`the revision is too long: value exceeds maximum size: max: ${longestRevision}, actual: ${bytes}`),
      settled,
      moment,
    );

  if (/[\p{Cc}\p{Cs}]/u.test(revision))
    return say(run, row, wrong('the revision must not contain control characters'), settled, moment);

  const target = seen.targets.find(({ applicationId }) => applicationId === deployment.uid);
  // OBSERVED: the deployment is so new that nobody has looked at it, or so wrong that nothing came of it.
  if (target === undefined) return notReady(run, row, deploymentName, [], moment);

  const { applicationId } = target;
  const queued: SyncEffect[] = row === undefined ? [{ do: 'queue-sync', id: run.uid, applicationId, revision }] : [];
  const me = { name: seen.name, createdAt: run.createdAt };
  const ahead = target.others.find((other) => other.requested || isOlder(other, me));
  // OBSERVED: another run of the same deployment goes first. Its end wakes this one.
  if (ahead !== undefined) {
    const message = `GitOpsDeploymentSyncRun '${ahead.name}' of the same GitOpsDeployment goes first`;
    const wait = { reason: 'SyncInProgress', message, deadlineSeconds: syncDeadlineSeconds };
    const told = say(run, row, notWrong(run), blockedOn(`GitOpsDeploymentSyncRun ${ahead.name}`, wait), moment);
    return { ...told, effects: [...told.effects, ...queued] };
  }

  // OBSERVED: an older run, which nobody has looked at yet. It is told to take its place; if it does not, it has lost it.
  const { expected } = seen;
  if (expected !== undefined && !isPast('OlderSyncRunExpected', moment)) {
    const reason = 'OlderSyncRunExpected';
    const message = `GitOpsDeploymentSyncRun '${expected.name}' of the same GitOpsDeployment is older and goes first`;
    const wait = { reason, message, deadlineSeconds: expectedSeconds };
    const told = say(run, row, notWrong(run), recheck(1, wait), moment);
    const knocks = moment.waiting?.reason === reason ? [] : [knockFor(seen.namespace, expected.name)];
    return { ...told, effects: [...told.effects, ...queued], knocks };
  }

  // OBSERVED: the deployment has changed, and Argo CD does not know it yet. To sync now would deploy what was.
  if (!target.applied) return notReady(run, row, deploymentName, queued, moment);

  return {
    effects: [
      ...tellSync(run, row, { said: notWrong(run) }, moment),
      { do: 'start-sync', id: run.uid, applicationId, revision, queued: row !== undefined },
    ],
    conditions: [],
    knocks: [askFor(seen, run.uid)],
    next: recheck(recheckSeconds, {
      reason: 'SyncRequested',
      message: 'Argo CD was asked for the sync',
      deadlineSeconds: syncDeadlineSeconds,
    }),
  };
}

/** Nobody tells when an application is ready; it is looked at often at first, and ever less. */
function notReady(
  run: SyncRun,
  row: SyncRow | undefined,
  deploymentName: string,
  queued: readonly SyncEffect[],
  moment: Moment,
): Step<SyncEffect> {
  const reason = 'DeploymentNotReady';
  const message = `GitOpsDeployment '${deploymentName}' referenced by the GitOpsDeploymentSyncRun is not with Argo CD yet, see its conditions`;
  const seconds = moment.waiting?.reason === reason ? (moment.now - moment.waiting.since) / 1_000 : 0;
  const afterSeconds = Math.min(Math.max(Math.ceil(seconds / 4), 1), 300);
  const said = seconds >= patienceSeconds ? wrong(message) : notWrong(run);
  const told = say(run, row, said, recheck(afterSeconds, { reason, message, deadlineSeconds: daySeconds }), moment);
  return { ...told, effects: [...told.effects, ...queued] };
}

/** Rows of runs that are no more. One that Argo CD may still work on is stopped first; the others just go. */
function clearAway(seen: SeenSync, left: readonly SyncRow[], hasSuccessor: boolean, moment: Moment): Step<SyncEffect> {
  const isOver = isPast('Terminating', moment);
  const steps = left.map((row): { ends: boolean; effects: SyncEffect[]; knocks: Knock[] } => {
    const { id, applicationId } = row;
    const isUnderWay = row.requestedAt !== undefined && row.finishedAt === undefined;
    // Without an application nothing is left to be stopped, and after a day nobody will say any more that it is.
    if (isUnderWay && applicationId !== undefined && !isOver) {
      if (row.desiredState === 'Running')
        return {
          ends: false,
          effects: [{ do: 'terminate-sync', id, applicationId }],
          knocks: [askFor(seen, id)],
        };
      if (isOpen(row)) return { ends: false, effects: [], knocks: [] };
    }
    return { ends: true, effects: [{ do: 'forget-sync', id }], knocks: nextInLine(seen, applicationId) };
  });
  const isDone = steps.every(({ ends }) => ends);
  return {
    effects: steps.flatMap(({ effects }) => effects),
    conditions: [],
    knocks: once([...steps.flatMap(({ knocks }) => knocks), ...(isDone && hasSuccessor ? [self(seen)] : [])]),
    next: isDone
      ? settled
      : recheck(recheckSeconds, {
          reason: 'Terminating',
          message: 'Argo CD was told to stop the sync of a deleted GitOpsDeploymentSyncRun',
          deadlineSeconds: daySeconds,
        }),
  };
}

function say(
  run: SyncRun,
  row: SyncRow | undefined,
  said: Said | undefined,
  next: Next,
  moment: Moment,
): Step<SyncEffect> {
  return {
    effects: tellSync(run, row, { said }, moment),
    conditions: said === undefined ? [] : [said],
    knocks: [],
    next,
  };
}

/** Two rows may have had the same one behind them. */
function once(knocks: readonly Knock[]): Knock[] {
  return [...new Map(knocks.map((knock) => [`${knock.type} ${knock.subject.name}`, knock])).values()];
}

function self({ namespace, name }: SeenSync): Knock {
  return knockFor(namespace, name);
}

function knockFor(namespace: string, name: string): Knock {
  return { type: 'sync-run.changed.v1', subject: { namespace, name } };
}

function isOther(uid: string | undefined, applicationId: string): boolean {
  return uid !== undefined && uid !== applicationId;
}

function isPast(reason: string, { now, waiting }: Moment): boolean {
  return waiting?.reason === reason && now >= waiting.deadline;
}
