import { describe, expect, it } from 'vitest';
import { truncate } from '../../../shared/domain/gitops/truncate.ts';

describe('BS-04 a text that is cut', () => {
  it.each<[string, string, number, string]>([
    ['longer than the limit ends in dots', 'abcdefgh', 7, 'abcd...'],
    ['shorter than the limit stays', 'abc', 7, 'abc'],
    ['as long as the limit stays', 'abcdefg', 7, 'abcdefg'],
    ['is counted in characters, not in bytes', 'éééééééé', 7, 'éééé...'],
    ['of many bytes stays where its characters fit', '語語語', 3, '語語語'],
    ['keeps its spaces', 'a  b    c', 8, 'a  b ...'],
    ['does not cut an emoji in two', '🚂🚂🚂🚂🚂', 4, '🚂...'],
    ['at 3 is all dots', 'abcd', 3, '...'],
    ['at 2 is all dots', 'abcd', 2, '..'],
    ['at 1 is all dots', 'abcd', 1, '.'],
    ['at 0 is nothing', 'abcd', 0, ''],
    ['below 0 is nothing', 'abcd', -1, ''],
    ['that is no proper text is nothing', 'a\ud800b', 10, ''],
    ['that is empty stays', '', 5, ''],
  ])('%s', (_what, text, most, cut) => {
    expect(truncate(text, most)).toBe(cut);
  });
});
