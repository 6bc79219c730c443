import { describe, expect, it } from 'vitest';
import { decideSync } from '../../../shared/domain/gitops/decide-sync.ts';
import type { ArgoSync, SeenSync } from '../../../shared/domain/gitops/sync.ts';
import { aRow, aRun, inWords, noon, seenSync, wrong } from '../../support/seen-sync.ts';

const nameChanged = 'deployment name field is immutable: changing it from its initial value is not supported';
const revisionChanged = 'revision change is not supported: changing it from its initial value is not supported';
const running: ArgoSync = {
  syncStatus: 'OutOfSync',
  health: undefined,
  comparedAt: undefined,
  operation: {
    phase: 'Running',
    message: '',
    revision: 'v1',
    syncId: 'run',
    startedAt: noon + 61_000,
    finishedAt: undefined,
  },
};

const rules: Record<
  string,
  { readonly seen: Partial<SeenSync>; readonly does: string[]; readonly says?: string; readonly next: string }
> = {
  'RS-02 says that its deployment cannot change, and goes on': {
    seen: { run: aRun({ deploymentName: 'api' }), argo: running },
    does: ['report-sync'],
    says: nameChanged,
    next: 'SyncRunning in 15',
  },
  'RS-02 says that its revision cannot change': {
    seen: { run: aRun({ revisionId: 'v2' }), argo: running },
    does: ['report-sync'],
    says: revisionChanged,
    next: 'SyncRunning in 15',
  },
  'RS-02 nor can it become none': {
    seen: { run: aRun({ revisionId: '' }), rows: [aRow({ finishedAt: noon, phase: 'Succeeded' })] },
    does: ['report-sync'],
    says: revisionChanged,
    next: 'settled',
  },
  'may write out the revision that none meant': {
    seen: {
      run: aRun({ revisionId: 'main' }),
      rows: [aRow({ revisionId: '', revision: 'main' })],
      argo: running,
    },
    does: [],
    next: 'SyncRunning in 15',
  },
  'takes its complaint back when the change is taken back': {
    seen: { run: aRun({ conditions: [wrong(nameChanged)] }), rows: [aRow({ finishedAt: noon, phase: 'Succeeded' })] },
    does: ['report-sync'],
    says: '',
    next: 'settled',
  },
  'says again how it failed when a change is taken back': {
    seen: {
      run: aRun({ conditions: [wrong(nameChanged)] }),
      rows: [aRow({ finishedAt: noon, phase: 'Failed', message: 'no' })],
    },
    does: ['report-sync'],
    says: 'no',
    next: 'settled',
  },
};

describe('a sync run that was changed', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, does, says, next }) => {
    const step = decideSync(seenSync({ rows: [aRow()], ...seen }), { now: noon + 120_000 });

    expect(inWords(step)).toEqual({ does, knocks: [], next, says: says === undefined ? [] : [says] });
  });
});

describe('RS-09 the condition of a sync run', () => {
  const failed = aRow({ finishedAt: noon, phase: 'Failed', message: 'no' });
  const before = { ...wrong('no'), lastProbeTime: '2026-01-01T00:00:00Z', lastTransitionTime: '2026-01-01T00:00:00Z' };

  function conditionsOf(conditions: readonly object[]): unknown {
    const run = aRun({ conditions: conditions as never });
    const [told] = decideSync(seenSync({ run, rows: [failed] }), { now: noon }).effects;
    return told?.do === 'report-sync' ? told.status.conditions : 'not written';
  }

  it('is added where there is none', () => {
    expect(conditionsOf([])).toEqual([
      expect.objectContaining({ ...wrong('no'), lastTransitionTime: '2026-01-15T12:00:00Z' }),
    ]);
  });

  it('changes with its time, beside those of others', () => {
    const other = { ...before, type: 'Other' };

    expect(conditionsOf([other, { ...before, message: 'why' }])).toEqual([
      other,
      { ...wrong('no'), lastProbeTime: '2026-01-15T12:00:00Z', lastTransitionTime: '2026-01-15T12:00:00Z' },
    ]);
  });

  it('keeps its time where it says the same', () => {
    expect(conditionsOf([before])).toBe('not written');
  });
});
