import { type Application, type HistoryEntry, instant, type OperationState } from '../application.ts';

const usualLimit = 10;

/** The history with this sync at its end, cut to what the application wants to keep. */
export function recordHistory(app: Application, state: OperationState, now: number): readonly HistoryEntry[] {
  const before = app.status?.history ?? [];
  const entry: HistoryEntry = {
    id: (before.at(-1)?.id ?? -1) + 1,
    revision: state.syncResult?.revision ?? '',
    ...(state.syncResult?.source !== undefined && { source: state.syncResult.source }),
    deployStartedAt: state.startedAt,
    deployedAt: instant(now),
    initiatedBy: state.operation.initiatedBy ?? {},
  };
  const limit = app.spec.revisionHistoryLimit ?? usualLimit;
  return limit <= 0 ? [] : [...before, entry].slice(-limit);
}
