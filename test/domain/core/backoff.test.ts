import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffSeconds } from '../../../shared/domain/core/backoff.ts';

const limits = { baseSeconds: 1, capSeconds: 120 };

describe('the wait before another attempt', () => {
  it('doubles until the cap', () => {
    expect([1, 2, 3, 4, 8, 100].map((attempt) => backoffSeconds(attempt, 1, limits))).toEqual([1, 2, 4, 8, 120, 120]);
  });

  it('is spread over the upper half of its interval, and never over the cap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, luck) => {
          const seconds = backoffSeconds(attempt, luck, limits);

          expect(seconds).toBeGreaterThanOrEqual(backoffSeconds(attempt, 1, limits) / 2);
          expect(seconds).toBeLessThanOrEqual(limits.capSeconds);
        },
      ),
    );
  });
});
