import { describe, expect, it } from 'vitest';
import type { Condition, Said } from '../../../shared/domain/core/condition.ts';
import { withConditions } from '../../../shared/domain/core/with-conditions.ts';

const now = Date.parse('2026-03-01T00:00:00Z');
const before = '2026-01-01T00:00:00Z';
const bound: Condition = { type: 'Bound', status: 'False', reason: 'WaitingForTarget', message: 'No target fits' };
const error: Condition = { type: 'ErrorOccurred', status: 'True', reason: 'ErrorOccurred', message: 'it went wrong' };

function said(condition: Condition, more: Partial<Said> = {}): Said {
  return { ...condition, lastTransitionTime: before, ...more };
}

describe('conditions of an object', () => {
  it('are written the first time, with the time', () => {
    expect(withConditions([], [bound], now)).toEqual([{ ...bound, lastTransitionTime: '2026-03-01T00:00:00Z' }]);
  });

  it.each([
    ['there is nothing to say', [said(bound)], []],
    ['they say the same already', [said(bound), said(error)], [error, bound]],
    [
      'they say the same, and the object says which generation that was of',
      [said(bound, { observedGeneration: 4 })],
      [bound],
    ],
  ])('are not written where %s', (_why, standing, conditions) => {
    expect(withConditions(standing, conditions, now)).toBeUndefined();
  });

  it.each([
    ['status', { status: 'True' }],
    ['reason', { reason: 'TargetTaken' }],
    ['message', { message: 'No target fits any more' }],
  ] as const)('are written where the %s is another', (_what, change) => {
    const changed = { ...bound, ...change };

    expect(withConditions([said(bound)], [changed], now)).toEqual([
      { ...changed, lastTransitionTime: '2026-03-01T00:00:00Z' },
    ]);
  });

  it('keep their place, and those of others their time', () => {
    const others = [said({ ...error, type: 'Somebodys' }), said(bound), said({ ...error, type: 'Anothers' })];
    const changed = { ...bound, reason: 'TargetTaken' };

    const written = withConditions(others, [changed, error], now);

    expect(written?.map(({ type, lastTransitionTime }) => `${type} ${lastTransitionTime}`)).toEqual([
      'Somebodys 2026-01-01T00:00:00Z',
      'Bound 2026-03-01T00:00:00Z',
      'Anothers 2026-01-01T00:00:00Z',
      'ErrorOccurred 2026-03-01T00:00:00Z',
    ]);
  });

  it('keep the time of what says the same while another changes', () => {
    const written = withConditions([said(bound), said(error)], [bound, { ...error, status: 'False' }], now);

    expect(written?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([before, '2026-03-01T00:00:00Z']);
  });

  it('say the last of what is said twice', () => {
    const written = withConditions([], [bound, { ...bound, reason: 'TargetTaken' }], now);

    expect(written?.map(({ reason }) => reason)).toEqual(['TargetTaken']);
  });
});
