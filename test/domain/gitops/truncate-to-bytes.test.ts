import { describe, expect, it } from 'vitest';
import { truncateToBytes } from '../../../shared/domain/gitops/truncate-to-bytes.ts';

describe('BS-04 a text for a column of so many bytes', () => {
  it.each([
    ['fits', 'four', 4, 'four'],
    ['is too long', 'longer than that', 10, 'longer ...'],
    ['has characters of several bytes', 'äöü', 6, 'äöü'],
    ['has one byte too many', 'äöü', 5, 'ä...'],
    ['has emoji', '🚀🚀🚀', 8, '🚀...'],
    ['has no room but for dots', 'äöü', 3, '...'],
    ['has not even room for its dots', 'ä', 1, '.'],
    ['is empty', '', 0, ''],
    ['is no text', '\ud800', 10, ''],
    ['has a limit below nothing', 'a', -1, ''],
  ])('%s', (_what, text, most, kept) => {
    expect(truncateToBytes(text, most)).toBe(kept);
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(Math.max(0, most));
  });
});
