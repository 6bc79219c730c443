/** Lets so many in at a time, lets some more wait, and turns the others away. */
export interface Turns {
  /** Resolves with the way to leave; undefined where too many wait already, or the waiting was given up. */
  take(signal: AbortSignal): Promise<(() => void) | undefined>;
}

export function openTurns(atOnce: number, mayWait: number): Turns {
  let busy = 0;
  const waiting: (() => void)[] = [];

  function leaver(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      busy -= 1;
      waiting.shift()?.();
    };
  }

  return {
    take(signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (busy < atOnce) {
        busy += 1;
        return Promise.resolve(leaver());
      }
      if (waiting.length >= mayWait) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const enter = () => {
          signal.removeEventListener('abort', giveUp);
          busy += 1;
          resolve(leaver());
        };
        const giveUp = () => {
          waiting.splice(waiting.indexOf(enter), 1);
          resolve(undefined);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.push(enter);
      });
    },
  };
}
