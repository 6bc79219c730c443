import { describe, expect, it } from 'vitest';
import type { Moment } from '../../../shared/domain/core/step.ts';
import { decideSync } from '../../../shared/domain/gitops/decide-sync.ts';
import {
  type ArgoOperation,
  type ArgoSync,
  type SeenSync,
  syncIdOf,
  syncInfo,
} from '../../../shared/domain/gitops/sync.ts';
import { aRow, aRun, aTarget, inWords, missing, noon, seenSync } from '../../support/seen-sync.ts';

const look = 'argo-application.changed.v1 gitopsdepl-app';
const younger = { id: 'z', name: 'z', createdAt: noon + 1_000, requested: false };

interface Rule {
  readonly seen: Partial<SeenSync>;
  readonly moment?: Partial<Moment>;
  readonly does: readonly string[];
  readonly says?: string | undefined;
  readonly knocks?: readonly string[];
  readonly next: string;
}

const rules: Record<string, Rule> = {
  'waits for the one who was asked to tell Argo CD': {
    seen: { rows: [aRow({ operation: { state: 'Waiting', text: '', at: noon } })] },
    does: [],
    next: 'SyncRequested in 15',
  },
  'asks again after a while where Argo CD shows nothing of it': {
    seen: { argo: said({ syncId: 'another' }) },
    does: ['ask-again run'],
    knocks: ['operation.requested.v1 sync-operation.run', look],
    next: 'SyncRequested in 15',
  },
  'does not ask again at once': {
    seen: { argo: undefined },
    moment: { now: noon + 75_999 },
    does: [],
    next: 'SyncRequested in 15',
  },
  'waits while Argo CD works on it, and does not ask again': {
    seen: { argo: said({ phase: 'Running' }) },
    does: [],
    next: 'SyncRunning in 15',
  },
  'looks at the Application itself after a while, in case that the word of its end got lost (defect 41)': {
    seen: { argo: said({ phase: 'Running' }) },
    moment: { waiting: { reason: 'SyncRunning', since: noon + 105_000, deadline: noon + 9_000_000 } },
    does: [],
    knocks: [look],
    next: 'SyncStillRunning in 15',
  },
  'does not look again at once when that look is answered': {
    seen: { argo: said({ phase: 'Running' }) },
    moment: { waiting: { reason: 'SyncStillRunning', since: noon + 119_000, deadline: noon + 9_000_000 } },
    does: [],
    next: 'SyncStillRunning in 15',
  },
  'looks again in its time': {
    seen: { argo: said({ phase: 'Running' }) },
    moment: { waiting: { reason: 'SyncStillRunning', since: noon + 105_000, deadline: noon + 9_000_000 } },
    does: [],
    knocks: [look],
    next: 'SyncRunning in 15',
  },
  'is not over while Argo CD tries again, though the last try has an end': {
    seen: { argo: said({ phase: 'Running', finishedAt: noon + 70_000, message: 'Retrying attempt #2' }) },
    does: [],
    next: 'SyncRunning in 15',
  },
  'ends when Argo CD shows its end, whoever told (defect 41)': {
    seen: { argo: said({}), targets: [aTarget({ others: [younger] })] },
    does: ['report-sync', 'finish-sync Succeeded'],
    says: '',
    knocks: ['sync-run.changed.v1 z'],
    next: 'settled',
  },
  'ends with what Argo CD says went wrong (defect 25)': {
    seen: { argo: said({ phase: 'Failed', message: 'namespaces "x" not found' }, { syncStatus: 'OutOfSync' }) },
    does: ['report-sync', 'finish-sync Failed'],
    says: 'namespaces "x" not found',
    next: 'settled',
  },
  'says something even where Argo CD gives no reason': {
    seen: { argo: said({ phase: 'Error', message: '' }) },
    does: ['report-sync', 'finish-sync Error'],
    says: 'Argo CD could not sync and gave no reason',
    next: 'settled',
  },
  'keeps the credentials of a URL to itself': {
    seen: { argo: said({ phase: 'Failed', message: 'cannot read https://me:hidden@host/a and ssh://git@host/b' }) },
    does: ['report-sync', 'finish-sync Failed'],
    says: 'cannot read https://host/a and ssh://host/b',
    next: 'settled',
  },
  'waits for the comparison that shows what it has done': {
    seen: { argo: said({}, { syncStatus: 'OutOfSync', comparedAt: noon + 1_000 }) },
    does: [],
    knocks: [look],
    next: 'ComparisonPending in 5',
  },
  'ends OutOfSync where something needs pruning, and is not tried for ever (defect 25)': {
    seen: { argo: said({}, { syncStatus: 'OutOfSync', comparedAt: noon + 70_000 }) },
    does: ['report-sync', 'finish-sync Succeeded'],
    says: '',
    next: 'settled',
  },
  'does not wait long for a comparison that does not come': {
    seen: { argo: said({}, { syncStatus: 'OutOfSync' }) },
    moment: { waiting: { reason: 'ComparisonPending', since: noon, deadline: noon + 20_000 } },
    does: ['report-sync', 'finish-sync Succeeded'],
    says: '',
    next: 'settled',
  },
  'is not taken in by an operation of before': {
    seen: { argo: said({ syncId: undefined, startedAt: noon + 59_000 }) },
    moment: { now: noon + 62_000 },
    does: [],
    next: 'SyncRequested in 15',
  },
  'is not taken in by an operation for another revision': {
    seen: { argo: said({ syncId: undefined, revision: 'v2' }) },
    moment: { now: noon + 62_000 },
    does: [],
    next: 'SyncRequested in 15',
  },
  'knows an operation that says nothing by its revision and its second': {
    seen: { argo: said({ syncId: undefined, startedAt: noon + 60_000 }) },
    does: ['report-sync', 'finish-sync Succeeded'],
    says: '',
    next: 'settled',
  },
  'ends where Argo CD could not even be asked': {
    seen: { rows: [aRow({ operation: { state: 'Failed', text: 'There is no Application', at: noon + 61_000 } })] },
    does: ['report-sync', 'finish-sync Error'],
    says: 'There is no Application',
    next: 'settled',
  },
  'is stopped after an hour, and wakes the next': {
    seen: { argo: said({ phase: 'Running' }), targets: [aTarget({ others: [younger] })] },
    moment: { now: noon + 3_660_500 },
    does: ['report-sync', 'finish-sync Error and stop'],
    says: 'The sync did not end within 1 hour and was stopped',
    knocks: ['operation.requested.v1 sync-operation.run', 'sync-run.changed.v1 z'],
    next: 'settled',
  },
  'ends where its deployment was deleted under it': {
    seen: { rows: [aRow({ applicationId: undefined })], targets: [] },
    does: ['report-sync', 'finish-sync Error'],
    says: missing,
    next: 'settled',
  },
  'follows nothing after its end': {
    seen: {
      run: aRun({ conditions: [{ type: 'ErrorOccurred', status: 'False', reason: '', message: '' }] }),
      rows: [aRow({ finishedAt: noon, phase: 'Succeeded' })],
      argo: said({ phase: 'Failed' }, { syncStatus: 'OutOfSync' }),
    },
    does: [],
    next: 'settled',
  },
};

describe('a sync run under way', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, moment, does, says, knocks = [], next }) => {
    const step = decideSync(seenSync({ rows: [aRow()], ...seen }), { now: noon + 120_000, ...moment });

    expect(inWords(step)).toEqual({ does, knocks, next, says: does.includes('report-sync') ? [says] : [] });
  });

  it('shows at its end what it has led to', () => {
    const health = { status: 'Degraded', message: 'no image' };
    const seen = seenSync({ rows: [aRow()], argo: said({}, { health }) });

    const [told] = decideSync(seen, { now: noon + 120_000 }).effects;

    expect(told).toEqual({
      do: 'report-sync',
      status: { conditions: [expect.objectContaining({ status: 'False', reason: '' })], syncStatus: 'Synced', health },
    });
  });

  it('keeps a message that is longer than its row', () => {
    const seen = seenSync({ rows: [aRow()], argo: said({ phase: 'Failed', message: '語'.repeat(5_000) }) });

    const ended = decideSync(seen, { now: noon + 120_000 }).effects.find((effect) => effect.do === 'finish-sync');

    expect(Buffer.byteLength(ended?.message ?? '')).toBeLessThanOrEqual(4_096);
    expect(ended?.message).toMatch(/^語{1021}\.\.\.$/);
  });
});

describe('the mark on an operation of Argo CD', () => {
  it.each<[string, unknown, string | undefined]>([
    ['is found among others', [{ name: 'Reason', value: 'x' }, syncInfo('run')], 'run'],
    ['may be missing', [{ name: 'Reason', value: 'x' }], undefined],
    ['may have no list', undefined, undefined],
    ['may be no text', [{ ...syncInfo('run'), value: 1 }], undefined],
    ['may stand among nothing', [null], undefined],
  ])('%s', (_what, info, found) => {
    expect(syncIdOf(info)).toBe(found);
  });
});

function said(operation: Partial<ArgoOperation>, but: Partial<ArgoSync> = {}): ArgoSync {
  return {
    syncStatus: 'Synced',
    health: { status: 'Healthy', message: '' },
    comparedAt: undefined,
    operation: {
      phase: 'Succeeded',
      message: 'successfully synced',
      revision: 'v1',
      syncId: 'run',
      startedAt: noon + 61_000,
      finishedAt: noon + 65_000,
      ...operation,
    },
    ...but,
  };
}
