import type { Step } from '../../shared/domain/core/step.ts';
import type { SeenSync, SyncEffect, SyncRow, SyncRun, SyncTarget } from '../../shared/domain/gitops/sync.ts';

/** Noon of a day, in milliseconds. */
export const noon = Date.UTC(2026, 0, 15, 12);

export const missing = "Unable to retrieve GitOpsDeployment 'web' referenced by the GitOpsDeploymentSyncRun";

export function aRun(but: Partial<SyncRun> = {}): SyncRun {
  return {
    uid: 'run',
    version: '7',
    createdAt: noon,
    deploymentName: 'web',
    revisionId: 'v1',
    deleting: false,
    conditions: [],
    syncStatus: '',
    health: undefined,
    ...but,
  };
}

/** One that Argo CD was asked for a minute after noon, and that nobody beside Argo CD is at any more. */
export function aRow(but: Partial<SyncRow> = {}): SyncRow {
  return {
    id: 'run',
    applicationId: 'app',
    deploymentName: 'web',
    revision: 'v1',
    revisionId: 'v1',
    desiredState: 'Running',
    phase: 'Running',
    message: '',
    requestedAt: noon + 60_500,
    finishedAt: undefined,
    operation: { state: 'Completed', text: '', at: noon + 61_000 },
    ...but,
  };
}

export function aTarget(but: Partial<SyncTarget> = {}): SyncTarget {
  return {
    applicationId: 'app',
    instanceId: 'argo',
    engineNamespace: 'argocd',
    ownerUserId: 'user',
    namespaceUid: 'namespace',
    applied: true,
    others: [],
    ...but,
  };
}

/** A run that may start. */
export function seenSync(but: Partial<SeenSync> = {}): SeenSync {
  return {
    namespace: 'team',
    name: 'first',
    run: aRun(),
    deployment: { uid: 'app', type: 'manual', targetRevision: 'main' },
    rows: [],
    targets: [aTarget()],
    expected: undefined,
    argo: undefined,
    ...but,
  };
}

export function wrong(message: string): SyncRun['conditions'][number] {
  return { type: 'ErrorOccurred', status: 'True', reason: 'ErrorOccurred', message };
}

/** A step as the rules of a test tell it. */
export function inWords({ effects, knocks, next }: Step<SyncEffect>) {
  return {
    does: effects.map(effectInWords),
    /** What stands in the condition afterwards, where it is written. */
    says: effects.flatMap((effect) =>
      effect.do === 'report-sync' ? effect.status.conditions.map(({ message }) => message) : [],
    ),
    knocks: knocks.map(({ type, subject }) => `${type} ${subject.name}`),
    next: nextInWords(next),
  };
}

function effectInWords(effect: SyncEffect): string {
  if (effect.do === 'report-sync') return effect.do;
  if (effect.do === 'start-sync') return `start-sync ${effect.id} ${effect.revision}${effect.queued ? ' queued' : ''}`;
  if (effect.do === 'queue-sync') return `queue-sync ${effect.id} ${effect.revision}`;
  if (effect.do === 'finish-sync')
    return `finish-sync ${effect.phase}${effect.stopApplicationId === undefined ? '' : ' and stop'}`;
  return `${effect.do} ${effect.id}`;
}

function nextInWords(next: Step['next']): string {
  if (next.kind === 'settled') return next.kind;
  return next.kind === 'blocked' ? `${next.wait.reason} on ${next.on}` : `${next.wait.reason} in ${next.afterSeconds}`;
}
