import {
  type Application,
  type Condition,
  isCompleted,
  type Operation,
  type ResourceStatus,
  type SyncStatus,
} from '../application.ts';
import { sameJson } from '../kube-object.ts';
import { writeRetry } from './retry.ts';

export type AutoSync =
  | { readonly do: 'nothing'; readonly condition?: Condition }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'sync'; readonly operation: Operation };

const nothing = { do: 'nothing' } as const;
// Healing the same thing again and again waits longer each time.
const healBackoff = { firstMs: 2_000, factor: 3, mostMs: 300_000 };

/**
 * Decides whether an automated application is synced now. A revision is tried once: a failure waits for another revision or
 * a person, and a success is repeated only where the application heals itself.
 */
export function decideAutoSync(
  app: Application,
  sync: SyncStatus,
  resources: readonly ResourceStatus[],
  now: number,
): AutoSync {
  const { syncPolicy } = app.spec;
  const automated = syncPolicy?.automated;
  if (automated === undefined || automated.enabled === false) return nothing;
  if (app.operation !== undefined || app.metadata.deletionTimestamp !== undefined) return nothing;
  if (sync.status !== 'OutOfSync') return nothing;
  const onlyExtra = resources.every(({ status, requiresPruning }) => status === 'Synced' || requiresPruning === true);
  if (!automated.prune && onlyExtra) return nothing;

  const attempt = lastAttempt(app, sync);
  if (attempt.made && attempt.phase !== 'Succeeded') {
    const message = `Failed last sync attempt to [${attempt.revision}]: ${app.status?.operationState?.message ?? ''}`;
    return { do: 'nothing', condition: { type: 'SyncError', message } };
  }
  if (attempt.made && !automated.selfHeal) return nothing;
  const healed = attempt.made ? (app.status?.operationState?.operation.sync?.autoHealAttemptsCount ?? 0) : 0;
  if (attempt.made) {
    const wait = healDelay(healed) - (now - Date.parse(app.status?.operationState?.finishedAt ?? instantZero));
    if (wait > 0) return { do: 'wait', ms: wait };
  }
  if (automated.prune && !automated.allowEmpty && resources.every((one) => one.requiresPruning === true)) {
    const message = `Skipping sync attempt to [${sync.revision ?? ''}]: auto-sync will wipe out all resources`;
    return { do: 'nothing', condition: { type: 'SyncError', message } };
  }
  return {
    do: 'sync',
    operation: {
      sync: {
        ...(sync.revision !== undefined && { revision: sync.revision }),
        ...(app.spec.source !== undefined && { source: app.spec.source }),
        ...(automated.prune && { prune: true }),
        ...(syncPolicy?.syncOptions !== undefined && { syncOptions: syncPolicy.syncOptions }),
        ...(attempt.made && { autoHealAttemptsCount: healed + 1, resources: outOfSync(resources) }),
      },
      initiatedBy: { automated: true },
      retry: writeRetry(syncPolicy?.retry ?? { limit: 5 }),
    },
  };
}

const instantZero = '1970-01-01T00:00:00Z';

function healDelay(attempts: number): number {
  return attempts === 0 ? 0 : Math.min(healBackoff.mostMs, healBackoff.firstMs * healBackoff.factor ** (attempts - 1));
}

function lastAttempt({ spec, status }: Application, sync: SyncStatus) {
  const state = status?.operationState;
  if (state === undefined) return { made: false, revision: '', phase: undefined };
  const result = state.syncResult;
  if (result === undefined) return { made: isCompleted(state.phase), revision: '', phase: state.phase };
  const same = result.revision === sync.revision && sameJson(result.source, spec.source);
  return { made: same, revision: result.revision, phase: state.phase };
}

function outOfSync(resources: readonly ResourceStatus[]) {
  return resources
    .filter(({ status }) => status !== 'Synced')
    .map(({ group, kind, name }) => ({ ...(group !== undefined && { group }), kind, name }));
}
