import { describe, expect, it } from 'vitest';
import { blockedOn, recheck, settled, wakesAfterSeconds } from '../../../shared/domain/core/step.ts';

const wait = { reason: 'TargetNotReady', message: 'The target is not ready', deadlineSeconds: 300 };

describe('what is next', () => {
  it('is nothing, for a thing that is settled', () => {
    expect(wakesAfterSeconds(settled)).toBeUndefined();
  });

  it('is another look after the time it named, and never after its deadline', () => {
    expect(wakesAfterSeconds(recheck(30, wait))).toBe(30);
    expect(wakesAfterSeconds(recheck(3_000, wait))).toBe(300);
  });

  it('is a look at the deadline, for a thing that is blocked and never woken', () => {
    expect(wakesAfterSeconds(blockedOn('target web', wait))).toBe(300);
  });
});
