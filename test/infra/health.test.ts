import { describe, expect, it } from 'vitest';
import { answerHealth, overdueCheck } from '../../infra/host/health.ts';

describe('health', () => {
  it('is good while everything has moved within its limit', () => {
    const answer = answerHealth([
      overdueCheck('queue run-errand', 20_000, 300_000),
      overdueCheck('due work', 0, 300_000),
    ]);

    expect(answer.status).toBe(200);
  });

  it('is bad as soon as one part is overdue, and says which and for how long', () => {
    const answer = answerHealth([
      overdueCheck('queue run-errand', 20_000, 300_000),
      overdueCheck('due work', 301_000, 300_000),
    ]);

    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({
      ok: false,
      checks: [{ ok: true }, { part: 'due work', ok: false, says: 'nothing for 301 s, where 300 s are the limit' }],
    });
  });
});
