import type { Answer } from '../../shared/runtime/define-webhook.ts';

/** One thing that must keep moving. */
export interface Check {
  readonly part: string;
  readonly ok: boolean;
  /** What is wrong, or how it stands. */
  readonly says: string;
}

/** Healthy means that work gets done, not that a process is there: any overdue part fails the whole. */
export function answerHealth(checks: readonly Check[]): Answer {
  const ok = checks.every((check) => check.ok);
  return { status: ok ? 200 : 503, body: { ok, checks } };
}

export function overdueCheck(part: string, ms: number, limitMs: number): Check {
  const seconds = Math.round(ms / 1_000);
  return ms > limitMs
    ? { part, ok: false, says: `nothing for ${seconds} s, where ${Math.round(limitMs / 1_000)} s are the limit` }
    : { part, ok: true, says: `moved ${seconds} s ago` };
}
