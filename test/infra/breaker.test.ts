import { describe, expect, it } from 'vitest';
import { openBreaker } from '../../infra/host/dispatch/breaker.ts';

describe('a host that finds something away', () => {
  it('goes on as usual while steps get through', () => {
    const breaker = openBreaker(() => 0);
    for (let step = 0; step < 100; step += 1) breaker.saw(step % 9 !== 0);

    expect(breaker.atOnce(24)).toBe(24);
  });

  it('tries with one step at a time after ten in a row, until one gets through', () => {
    const breaker = openBreaker(() => 0);
    for (let step = 0; step < 10; step += 1) breaker.saw(true);
    expect(breaker.atOnce(24)).toBe(1);

    breaker.saw(false);
    expect(breaker.atOnce(24)).toBe(24);
  });
});
