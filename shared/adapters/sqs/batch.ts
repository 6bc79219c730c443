export interface BatchLimits {
  /** Items in one call. */
  readonly most: number;
  /** Full batches under way at once. */
  readonly parallel: number;
  /** How long a batch that is not full may wait to become so. Zero where somebody waits for the call. */
  readonly lingerMs: number;
}

/**
 * Gathers single items into batches. What comes while a call is under way makes the next batch, so an idle queue costs
 * no delay and a busy one few calls: a full batch goes at once, a partial one when no call is under way.
 *
 * `call` returns, for each item of the batch, the error it met or undefined.
 */
export function inBatches<Item>(
  { most, parallel, lingerMs }: BatchLimits,
  call: (items: readonly Item[]) => Promise<readonly (Error | undefined)[]>,
): { add(item: Item): Promise<void>; idle(): Promise<void> } {
  interface Waiting {
    readonly item: Item;
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  const whenIdle: (() => void)[] = [];
  let running = 0;
  let flushing = false;
  let linger: NodeJS.Timeout | undefined;

  async function run(batch: readonly Waiting[]): Promise<void> {
    running += 1;
    try {
      const errors = await call(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const error = errors[index];
        if (error === undefined) resolve();
        else reject(error);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running -= 1;
      flush();
    }
  }

  function flush(): void {
    flushing = false;
    while (waiting.length >= most && running < parallel) void run(waiting.splice(0, most));
    if (waiting.length > 0 && running === 0) {
      if (lingerMs === 0 || whenIdle.length > 0) sendPartial();
      else linger ??= setTimeout(sendPartial, lingerMs);
    }
    if (running === 0 && waiting.length === 0) for (const resolve of whenIdle.splice(0)) resolve();
  }

  function sendPartial(): void {
    clearTimeout(linger);
    linger = undefined;
    if (waiting.length > 0 && running === 0) void run(waiting.splice(0, most));
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (flushing) return;
        // At the end of this turn, so that items added together travel together.
        flushing = true;
        queueMicrotask(flush);
      });
    },
    idle() {
      if (running === 0 && waiting.length === 0) return Promise.resolve();
      return new Promise((resolve) => {
        whenIdle.push(resolve);
        flush();
      });
    },
  };
}
