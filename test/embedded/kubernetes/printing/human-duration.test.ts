import { describe, expect, it } from 'vitest';
import { humanDuration } from '../../../../infra/embedded/kubernetes/printing/human-duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const ages: Record<string, number> = {
  '<invalid>': -2 * second,
  '0s': -1.5 * second,
  '5s': 5.9 * second,
  '119s': 119 * second,
  '2m': 2 * minute,
  '3m12s': 3 * minute + 12 * second,
  '10m': 10 * minute + 59 * second,
  '179m': 179 * minute,
  '3h': 3 * hour,
  '7h59m': 7 * hour + 59 * minute,
  '8h': 8 * hour + 30 * minute,
  '47h': 47 * hour,
  '2d': 2 * day,
  '2d3h': 2 * day + 3 * hour,
  '8d': 8 * day + 5 * hour,
  '729d': 729 * day,
  '2y': 730 * day,
  '2y1d': 731 * day,
  '8y': 8 * 365 * day + 12 * day,
};

describe('an age', () => {
  it.each(Object.entries(ages))('is written as %s', (text, milliseconds) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });
});
