/**
 * Gathers single items into batches without a timer: what comes while a call is under way
 * makes the next batch, so an idle queue costs no delay and a busy one few calls.
 *
 * `call` returns, for each item of the batch, the error it met or undefined.
 */
export function inBatches<Item>(
  { most, parallel }: { readonly most: number; readonly parallel: number },
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
  let scheduled = false;

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
      start();
    }
  }

  function start(): void {
    scheduled = false;
    while (running < parallel && waiting.length > 0) void run(waiting.splice(0, most));
    if (running === 0) for (const resolve of whenIdle.splice(0)) resolve();
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (scheduled) return;
        // At the end of this turn, so that items added together travel together.
        scheduled = true;
        queueMicrotask(start);
      });
    },
    idle() {
      return running === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            whenIdle.push(resolve);
          });
    },
  };
}
