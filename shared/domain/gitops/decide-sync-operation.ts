import { type Moment, type Next, recheck, type Step } from '../core/step.ts';
import { completeOperation, failOperation, holdOperation } from './end-operation.ts';
import { isUnderWay } from './is-under-way.ts';
import type { ObservedOperation, OperationEffect, SyncOperationRow, SyncSight } from './operation.ts';

const daySeconds = 86_400;
const againSeconds = 10;
/** As long as Argo CD may take to stop. */
const stopSeconds = 300;

/**
 * Asks Argo CD for a sync, or to stop one. It is done when Argo CD has taken the request: who wants to know how a sync
 * ends looks at what Argo CD says about it. Whose sync it is stands in it, so nobody else's is ever stopped.
 */
export function decideSyncOperation(observed: ObservedOperation, moment: Moment): Step<OperationEffect> {
  const { row, application } = observed.sync ?? {};
  // OBSERVED: nobody asks, as when the word came twice. What is under way is not asked for again.
  if (observed.operations.length === 0) return completeOperation(observed);
  if (row === undefined)
    return failOperation(observed, 'The sync is not in the database: it was deleted before it began');
  // OBSERVED: the application is gone, so nothing can run.
  if (row.applicationId === undefined) return completeOperation(observed);
  if (row.desiredState === 'Running' && !row.finished) return start(observed, row, application, moment);
  return application === undefined ? completeOperation(observed) : stop(observed, row, application, moment);
}

function start(
  observed: ObservedOperation,
  row: SyncOperationRow,
  application: SyncSight | undefined,
  moment: Moment,
): Step<OperationEffect> {
  // OBSERVED: it waits behind another one.
  if (!row.requested) return completeOperation(observed);
  if (application === undefined)
    return failOperation(observed, 'The Argo CD Application of the deployment does not exist');
  if (application.deleting)
    return failOperation(observed, 'The Argo CD Application of the deployment is being deleted');

  const { asked, state } = application;
  if (state?.syncId === row.id) return completeOperation(observed);
  // OBSERVED: Argo CD works on something else, and would not look at another request.
  if (isBusy(application) && asked?.syncId !== row.id)
    return holdOperation(observed, wait('AnotherSyncRuns', 'Argo CD is busy with another sync', againSeconds));

  // OBSERVED: it was written a moment ago; Argo CD may be about to take it.
  const { waiting } = moment;
  const fresh = waiting?.reason === 'SyncRequested' && moment.now < waiting.since + againSeconds * 1_000;
  return holdOperation(
    observed,
    wait('SyncRequested', 'Argo CD was asked for the sync and has not begun', againSeconds),
    asked?.syncId === row.id && fresh ? [] : [{ do: 'request-sync', name: application.name, sync: row.id }],
  );
}

function stop(
  observed: ObservedOperation,
  row: SyncOperationRow,
  application: SyncSight,
  moment: Moment,
): Step<OperationEffect> {
  const { asked, state, name } = application;
  // OBSERVED: it was asked for and never begun.
  if (asked?.syncId === row.id && state?.syncId !== row.id)
    return completeOperation(observed, [{ do: 'withdraw-sync', name, sync: row.id }]);
  // OBSERVED: nothing of it runs.
  if (asked === undefined || state?.syncId !== row.id || !isUnderWay(state.phase)) return completeOperation(observed);

  const { waiting } = moment;
  if (waiting?.reason === 'SyncTerminating' && moment.now >= waiting.deadline)
    return failOperation(observed, 'Argo CD did not stop the sync within 5 minutes');
  return holdOperation(
    observed,
    wait('SyncTerminating', 'Argo CD stops the sync', againSeconds / 2, stopSeconds),
    state.phase === 'Running' ? [{ do: 'terminate-sync', name, sync: row.id }] : [],
  );
}

function isBusy({ asked, state }: SyncSight): boolean {
  return asked !== undefined || (state !== undefined && isUnderWay(state.phase));
}

function wait(reason: string, message: string, afterSeconds: number, deadlineSeconds = daySeconds): Next {
  return recheck(afterSeconds, { reason, message, deadlineSeconds });
}
