export interface Turns {
  /** Waits for those who came before with the same key, then works alone. Throws the signal's reason where it is over before. */
  take<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Somebody works under this key, or waits to. */
  isTaken(key: string): boolean;
}

export function oneAtATime(): Turns {
  const last = new Map<string, Promise<void>>();

  return {
    async take(key, signal, work) {
      const before = last.get(key) ?? Promise.resolve();
      let leave = (): void => {};
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      // Whoever gives up waiting has not been in, and those before may still be.
      const after = before.then(() => left);
      last.set(key, after);
      void after.then(() => last.get(key) === after && last.delete(key));
      try {
        await unlessStopped(before, signal);
        return await work();
      } finally {
        leave();
      }
    },
    isTaken: (key) => last.has(key),
  };
}

function unlessStopped(awaited: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    void awaited.then(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}
