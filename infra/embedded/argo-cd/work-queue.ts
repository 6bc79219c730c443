export interface WorkQueue {
  /** Soon, unless it waits already; again, if it is being worked on. */
  add(key: string): void;
  /** Later, unless it comes sooner for another reason. */
  addAfter(key: string, ms: number): void;
  stop(): Promise<void>;
}

export type SetTimer = (run: () => void, ms: number) => () => void;

export interface WorkQueueSettings {
  readonly atOnce: number;
  readonly work: (key: string) => Promise<void>;
  /** Resolves with how long to wait before the next try. */
  readonly onError: (key: string, error: unknown, failures: number) => number;
  readonly setTimer: SetTimer;
}

/** Works on many keys at once, but never twice on the same at the same time. */
export function openWorkQueue({ atOnce, work, onError, setTimer }: WorkQueueSettings): WorkQueue {
  const waiting = new Set<string>();
  const busy = new Map<string, Promise<void>>();
  const later = new Map<string, { at: number; cancel: () => void }>();
  const failures = new Map<string, number>();
  let stopped = false;

  function next(): void {
    for (const key of waiting) {
      if (stopped || busy.size >= atOnce) return;
      if (busy.has(key)) continue;
      waiting.delete(key);
      busy.set(key, run(key));
    }
  }

  async function run(key: string): Promise<void> {
    try {
      await work(key);
      failures.delete(key);
    } catch (error) {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      if (!stopped) addAfter(key, onError(key, error, count));
    } finally {
      busy.delete(key);
      next();
    }
  }

  function add(key: string): void {
    if (stopped) return;
    later.get(key)?.cancel();
    later.delete(key);
    waiting.add(key);
    // Not before the caller is done with what it is doing.
    queueMicrotask(next);
  }

  function addAfter(key: string, ms: number): void {
    if (stopped) return;
    const at = performance.now() + ms;
    const known = later.get(key);
    if (known !== undefined && known.at <= at) return;
    known?.cancel();
    later.set(key, { at, cancel: setTimer(() => add(key), ms) });
  }

  return {
    add,
    addAfter,
    async stop() {
      stopped = true;
      for (const { cancel } of later.values()) cancel();
      waiting.clear();
      await Promise.all(busy.values());
    },
  };
}
