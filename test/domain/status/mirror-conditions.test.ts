import { describe, expect, it } from 'vitest';
import type { ProbedCondition } from '../../../shared/domain/gitops/probed-conditions.ts';
import { mirrorConditions } from '../../../shared/domain/status/mirror-conditions.ts';

const before = '2026-03-01T10:00:00Z';
const now = '2026-03-01T10:05:00Z';

function condition(type: string, but: Partial<ProbedCondition> = {}): ProbedCondition {
  return {
    type,
    status: 'True',
    reason: type,
    message: 'it broke',
    lastProbeTime: before,
    lastTransitionTime: before,
    ...but,
  };
}

describe('the conditions of Argo CD on a deployment', () => {
  it('RT-02 what Argo CD reports is True, with its type as the reason', () => {
    const mirrored = mirrorConditions([], [{ type: 'SyncError', message: 'it broke' }], now);

    expect(mirrored).toEqual([condition('SyncError', { lastProbeTime: now, lastTransitionTime: now })]);
  });

  it('RT-02 what it no longer reports is resolved', () => {
    const mirrored = mirrorConditions([condition('SyncError'), condition('ComparisonError')], [], now);

    expect(mirrored).toEqual(
      ['SyncError', 'ComparisonError'].map((type) =>
        condition(type, {
          status: 'False',
          reason: `${type}Resolved`,
          message: '',
          lastProbeTime: now,
          lastTransitionTime: now,
        }),
      ),
    );
  });

  it('defect 11: ErrorOccurred is ours, and Argo CD neither resolves nor says it', () => {
    const ours = [condition('ErrorOccurred', { message: 'spec.source.path is a required field' })];

    expect(mirrorConditions(ours, [], now)).toBe(ours);
    expect(mirrorConditions(ours, [{ type: 'ErrorOccurred', message: 'other' }], now)).toBe(ours);
  });

  it('what is said already is the same list, so that nobody writes it', () => {
    const said = [
      condition('SyncError'),
      condition('UnknownError', { status: 'False', reason: 'UnknownErrorResolved', message: '' }),
    ];

    expect(mirrorConditions(said, [{ type: 'SyncError', message: 'it broke' }], now)).toBe(said);
  });

  it('a type that Argo CD reports several times is one condition, whatever their order', () => {
    const reported = ['two', 'one', 'two'].map((message) => ({ type: 'RepeatedResourceWarning', message }));

    const mirrored = mirrorConditions([], reported, now);

    expect(mirrored).toMatchObject([{ type: 'RepeatedResourceWarning', message: 'one\ntwo' }]);
    expect(mirrorConditions(mirrored, reported.toReversed(), now)).toBe(mirrored);
  });

  it('a condition that comes back is True again', () => {
    const resolved = [condition('SyncError', { status: 'False', reason: 'SyncErrorResolved', message: '' })];

    expect(mirrorConditions(resolved, [{ type: 'SyncError', message: 'again' }], now)).toMatchObject([
      { type: 'SyncError', status: 'True', reason: 'SyncError', message: 'again', lastTransitionTime: now },
    ]);
  });
});
