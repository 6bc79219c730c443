import { describe, expect, it } from 'vitest';
import { decideSync } from '../../../shared/domain/gitops/decide-sync.ts';
import type { SeenSync } from '../../../shared/domain/gitops/sync.ts';
import { aRow, aRun, aTarget, inWords, noon, seenSync } from '../../support/seen-sync.ts';

const waitsInLine = aRow({ requestedAt: undefined, phase: '', operation: undefined });
const older = { id: 'a', name: 'a', createdAt: noon - 1_000, requested: false };
const younger = { id: 'z', name: 'z', createdAt: noon + 1_000, requested: false };

interface Rule {
  readonly seen: Partial<SeenSync>;
  readonly does: readonly string[];
  readonly knocks?: readonly string[];
  readonly next: string;
}

const rules: Record<string, Rule> = {
  'RS-03 stops what it has started when it is deleted': {
    seen: { run: undefined, rows: [aRow()] },
    does: ['terminate-sync run'],
    knocks: ['operation.requested.v1 sync-operation.run'],
    next: 'Terminating in 15',
  },
  'is deleted as soon as it has a deletion timestamp, whoever holds it': {
    seen: { run: aRun({ deleting: true }), rows: [aRow()] },
    does: ['terminate-sync run'],
    knocks: ['operation.requested.v1 sync-operation.run'],
    next: 'Terminating in 15',
  },
  'keeps its rows while somebody is stopping it': {
    seen: {
      run: undefined,
      rows: [aRow({ desiredState: 'Terminated', operation: { state: 'In_Progress', text: '', at: noon } })],
    },
    does: [],
    next: 'Terminating in 15',
  },
  'AL-04 goes when it was stopped, and wakes the next': {
    seen: {
      run: undefined,
      rows: [aRow({ desiredState: 'Terminated' })],
      targets: [aTarget({ others: [older, younger] })],
    },
    does: ['forget-sync run'],
    knocks: ['sync-run.changed.v1 a'],
    next: 'settled',
  },
  'AL-05 goes after its end, and wakes nobody where nobody waits': {
    seen: { run: undefined, rows: [aRow({ finishedAt: noon, phase: 'Succeeded' })] },
    does: ['forget-sync run'],
    next: 'settled',
  },
  'RS-04 goes without a word to Argo CD where its application is gone (defect 35)': {
    seen: { run: undefined, rows: [aRow({ applicationId: undefined })], targets: [] },
    does: ['forget-sync run'],
    next: 'settled',
  },
  'leaves the line without a word to Argo CD, which never heard of it': {
    seen: {
      run: undefined,
      rows: [waitsInLine],
      targets: [aTarget({ others: [{ ...older, requested: true }, younger] })],
    },
    does: ['forget-sync run'],
    next: 'settled',
  },
  'made again under its name, waits until the one of before is stopped': {
    seen: { run: aRun({ uid: 'again' }), rows: [aRow()] },
    does: ['terminate-sync run'],
    knocks: ['operation.requested.v1 sync-operation.run'],
    next: 'Terminating in 15',
  },
  'made again under its name, has its own turn when the one of before is gone': {
    seen: { run: aRun({ uid: 'again' }), rows: [aRow({ finishedAt: noon }), aRow({ id: 'before', finishedAt: noon })] },
    does: ['forget-sync run', 'forget-sync before'],
    knocks: ['sync-run.changed.v1 first'],
    next: 'settled',
  },
  'RS-07 has nothing to do where there is neither a run nor a row': {
    seen: { run: aRun({ deleting: true }) },
    does: [],
    next: 'settled',
  },
};

describe('a deleted sync run', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, does, knocks = [], next }) => {
    const step = decideSync(seenSync(seen), { now: noon });

    expect(inWords(step)).toEqual({ does, knocks, next, says: [] });
  });

  it('goes after a day though nobody said that it was stopped', () => {
    const stopping = aRow({ desiredState: 'Terminated', operation: { state: 'In_Progress', text: '', at: noon } });
    const waiting = { reason: 'Terminating', since: noon - 86_400_000, deadline: noon };

    const step = decideSync(seenSync({ run: undefined, rows: [stopping] }), { now: noon, waiting });

    expect(step.effects).toEqual([{ do: 'forget-sync', id: 'run' }]);
  });

  it('knocks only once where two rows of before had the same one behind them', () => {
    const rows = [aRow({ finishedAt: noon }), aRow({ id: 'before', finishedAt: noon })];
    const targets = [aTarget({ others: [younger] })];

    const step = decideSync(seenSync({ run: undefined, rows, targets }), { now: noon });

    expect(step.knocks).toEqual([{ type: 'sync-run.changed.v1', subject: { namespace: 'team', name: 'z' } }]);
  });
});
