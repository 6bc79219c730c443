import { describe, expect, it } from 'vitest';
import { endOfLife, timeToLiveSeconds } from '../../../shared/domain/claim/time-to-live.ts';

describe('how long a claim may live', () => {
  it.each([
    ['72h', 259_200],
    ['1h30m', 5_400],
    ['90s', 90],
    ['1.5h', 5_400],
    ['500ms', 0.5],
  ])('%s is %d seconds', (text, seconds) => {
    expect(timeToLiveSeconds(text)).toBeCloseTo(seconds, 6);
  });

  it.each([
    '',
    '4',
    'h',
    '4 h',
    '-4h',
    '+4h',
    'four hours',
    '4h ',
    '4x',
    '4h30',
    '0s',
    '99999999999h',
    '1e3h',
    '3d',
    '٤h',
  ])('cannot be told from "%s"', (text) => {
    expect(timeToLiveSeconds(text)).toBeUndefined();
  });

  it('is counted from the moment the claim was made', () => {
    expect(endOfLife({ created: 1_000, timeToLive: '4h' })).toBe(14_401_000);
  });

  it.each([undefined, '', 'soon'])('has no end where the claim says %j', (timeToLive) => {
    expect(endOfLife({ created: 1_000, timeToLive })).toBeUndefined();
  });
});
