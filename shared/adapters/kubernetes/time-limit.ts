interface TimeLimit {
  readonly signal: AbortSignal;
  /** What was waited for has come; the outer signal stays. */
  stopClock(): void;
  end(): void;
}

class TimedOut extends Error {
  override readonly name = 'TimedOut';
  readonly code = 'TIMED_OUT';

  constructor(timeoutMs: number) {
    super(`no answer in ${timeoutMs} ms`);
  }
}

/**
 * A time limit and the caller's signal as one signal. Ours rather than AbortSignal.any, which leaves something behind on a
 * signal that lives as long as the process, for every call.
 */
export function openTimeLimit(timeoutMs: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new TimedOut(timeoutMs)), timeoutMs);
  const forward = () => controller.abort(outer?.reason);
  if (outer?.aborted) forward();
  outer?.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    stopClock: () => clearTimeout(timer),
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', forward);
    },
  };
}
