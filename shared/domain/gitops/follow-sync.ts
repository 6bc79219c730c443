import { type Knock, type Moment, recheck, type Step, settled } from '../core/step.ts';
import { applicationName, operationSubject } from './names.ts';
import {
  type ArgoOperation,
  type ArgoSync,
  isOperationOf,
  type SeenSync,
  type SyncEffect,
  type SyncRow,
  type SyncRun,
  type SyncTarget,
} from './sync.ts';
import { missingText, notWrong, plainMessage, right, tellSync, wrong } from './tell-sync.ts';

/** A sync that takes longer is stopped: nobody waits for it any more, and those behind it do. */
export const syncDeadlineSeconds = 3_600;
/** The end is told to us; this is for the case that the word got lost, or that Argo CD overlooked the request. */
export const recheckSeconds = 15;
/** Argo CD compares right after a sync. If it does not, what it knew before has to do. */
const comparisonSeconds = 10;

/** A sync that was asked for: how it ended, or that it has not. What Argo CD shows decides, not what was heard of it. */
export function followSync(seen: SeenSync, run: SyncRun, row: SyncRow, moment: Moment): Step<SyncEffect> {
  const { argo } = seen;
  const target = seen.targets.find(({ applicationId }) => applicationId === row.applicationId);
  const operation = argo?.operation !== undefined && isOperationOf(argo.operation, row) ? argo.operation : undefined;

  // OBSERVED: the deployment was deleted under it.
  if (target === undefined)
    return finish(seen, run, row, { phase: 'Error', message: missingText(row.deploymentName) }, moment);

  // OBSERVED: Argo CD is done with it.
  if (argo !== undefined && operation !== undefined && hasEnded(operation)) {
    if (isComparisonDue(argo, operation, moment))
      return waitFor('ComparisonPending', 'Argo CD is comparing the cluster with Git after the sync', 5, {
        seconds: comparisonSeconds,
        effects: tellSync(run, row, { said: notWrong(run) }, moment),
        knocks: moment.waiting?.reason === 'ComparisonPending' ? [] : [lookAt(target)],
      });
    return finish(seen, run, row, { ...endOf(operation), argo }, moment);
  }

  // OBSERVED: it takes too long, wherever it hangs.
  if (row.requestedAt !== undefined && moment.now >= row.requestedAt + syncDeadlineSeconds * 1_000)
    return finish(
      seen,
      run,
      row,
      { phase: 'Error', message: 'The sync did not end within 1 hour and was stopped', argo, stop: true },
      moment,
    );

  const told = tellSync(run, row, { said: notWrong(run) }, moment);
  // OBSERVED: Argo CD works on it. The word of its end may get lost, so its Application is looked at now and then.
  if (operation !== undefined) {
    const { reason, isDue } = turnOf(moment);
    return waitFor(reason, 'Argo CD syncs', recheckSeconds, { effects: told, knocks: isDue ? [lookAt(target)] : [] });
  }

  // OBSERVED: Argo CD shows nothing of it, and the side of Argo CD could not even ask.
  if (row.operation?.state === 'Failed' && row.operation.at >= (row.requestedAt ?? 0))
    return finish(seen, run, row, { phase: 'Error', message: row.operation.text, argo }, moment);

  // OBSERVED: Argo CD shows nothing of it, though it was asked a while ago. It may have overlooked it.
  if (!isOpen(row) && moment.now >= (row.operation?.at ?? 0) + recheckSeconds * 1_000)
    return waitFor('SyncRequested', 'Argo CD was asked for the sync again', recheckSeconds, {
      effects: [...told, { do: 'ask-again', id: row.id, applicationId: target.applicationId }],
      knocks: [askFor(seen, row.id), lookAt(target)],
    });
  return waitFor('SyncRequested', 'Argo CD was asked for the sync', recheckSeconds, { effects: told });
}

interface End {
  readonly phase: 'Succeeded' | 'Failed' | 'Error';
  readonly message: string;
  readonly argo?: ArgoSync | undefined;
  /** Argo CD may still be at it. */
  readonly stop?: boolean | undefined;
}

/** Ends a run, says how, and wakes the next one. */
export function finish(
  seen: SeenSync,
  run: SyncRun,
  row: SyncRow,
  { phase, message: text, argo, stop }: End,
  moment: Moment,
): Step<SyncEffect> {
  const message = plainMessage(text);
  const said = phase === 'Succeeded' ? right : wrong(message);
  const shown = argo === undefined ? undefined : { syncStatus: argo.syncStatus, health: argo.health };
  return {
    effects: [
      ...tellSync(run, row, { said, shown }, moment),
      { do: 'finish-sync', id: row.id, phase, message, ...(stop && { stopApplicationId: row.applicationId }) },
    ],
    conditions: [said],
    knocks: [...(stop ? [askFor(seen, row.id)] : []), ...nextInLine(seen, row.applicationId)],
    next: settled,
  };
}

/** The first of those that wait for this application, unless another is under way already. */
export function nextInLine(seen: SeenSync, applicationId: string | undefined): Knock[] {
  const others: SyncTarget['others'] =
    seen.targets.find((target) => target.applicationId === applicationId)?.others ?? [];
  const next = others.some(({ requested }) => requested) ? undefined : others.find(({ name }) => name !== '');
  return next === undefined
    ? []
    : [{ type: 'sync-run.changed.v1', subject: { namespace: seen.namespace, name: next.name } }];
}

export function askFor({ namespace }: Pick<SeenSync, 'namespace'>, id: string): Knock {
  return { type: 'operation.requested.v1', subject: operationSubject(namespace, 'SyncOperation', id) };
}

/** Asks for a look at the Application itself: what is kept of it may be older. Its answer comes as a knock. */
function lookAt({ engineNamespace, applicationId }: SyncTarget): Knock {
  return {
    type: 'argo-application.changed.v1',
    subject: { namespace: engineNamespace, name: applicationName(applicationId) },
  };
}

/**
 * Is it time to look at the Application? Who waits knows since when it gives its reason, and nothing else; so there are two
 * reasons that take turns, and a look that is answered at once does not ask for the next.
 */
function turnOf({ now, waiting }: Moment): { readonly reason: string; readonly isDue: boolean } {
  const turns = ['SyncRunning', 'SyncStillRunning'] as const;
  const isWaiting = waiting?.reason === turns[0] || waiting?.reason === turns[1];
  if (!isWaiting) return { reason: turns[0], isDue: false };
  const isDue = now >= waiting.since + recheckSeconds * 1_000;
  return { reason: isDue === (waiting.reason === turns[0]) ? turns[1] : turns[0], isDue };
}

/** Somebody beside Argo CD still has to look at it. */
export function isOpen({ operation }: Pick<SyncRow, 'operation'>): boolean {
  return operation?.state === 'Waiting' || operation?.state === 'In_Progress';
}

/** While Argo CD retries, it shows when the last attempt ended; only the phase tells the end. */
function hasEnded({ phase }: ArgoOperation): boolean {
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Error';
}

function endOf({ phase, message }: ArgoOperation): Pick<End, 'phase' | 'message'> {
  if (phase === 'Succeeded') return { phase, message };
  return {
    phase: phase === 'Failed' ? phase : 'Error',
    message: message || 'Argo CD could not sync and gave no reason',
  };
}

/** The end of a sync is written before the comparison that shows what it did. */
function isComparisonDue(argo: ArgoSync, { phase, finishedAt }: ArgoOperation, { now, waiting }: Moment): boolean {
  if (phase !== 'Succeeded' || argo.syncStatus === 'Synced' || finishedAt === undefined) return false;
  if (argo.comparedAt !== undefined && argo.comparedAt >= finishedAt) return false;
  return waiting?.reason !== 'ComparisonPending' || now < waiting.deadline;
}

function waitFor(
  reason: string,
  message: string,
  afterSeconds: number,
  {
    seconds = syncDeadlineSeconds,
    effects,
    knocks = [],
  }: { readonly seconds?: number; readonly effects: SyncEffect[]; readonly knocks?: Knock[] },
): Step<SyncEffect> {
  return {
    effects,
    conditions: [],
    knocks,
    next: recheck(afterSeconds, { reason, message, deadlineSeconds: seconds }),
  };
}
