import { describe, expect, it } from 'vitest';
import { patienceSeconds } from '../../../shared/domain/core/patience.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const since = (seconds: number, reason = 'WaitingForTarget') => ({
  now,
  waiting: { reason, since: now - seconds * 1_000, deadline: now },
});

describe('whoever waits looks again', () => {
  it.each([
    [0, 15],
    [59, 15],
    [60, 15],
    [100, 25],
    [1_000, 250],
    [2_400, 600],
    [90_000, 600],
  ])('when it has waited for %s seconds, after %s', (waited, expected) => {
    expect(patienceSeconds(since(waited), 'WaitingForTarget')).toBe(expected);
  });

  it('soon, when it begins to wait', () => {
    expect(patienceSeconds({ now }, 'WaitingForTarget')).toBe(15);
  });

  it('soon, when it begins to wait for something else', () => {
    expect(patienceSeconds(since(90_000, 'ClassNotFound'), 'WaitingForTarget')).toBe(15);
  });

  it('soon, though the clock went back', () => {
    expect(patienceSeconds(since(-500), 'WaitingForTarget')).toBe(15);
  });
});
