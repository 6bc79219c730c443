/** When what was seen first. Who asks after the event gets its moment all the same. */
export interface Sightings {
  note(what: string, at: number): void;
  of(what: string): Promise<number>;
}

export function openSightings(patienceMs: number, whenLost: () => Promise<string>): Sightings {
  const seen = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  async function giveUp(what: string): Promise<never> {
    throw new Error(`nobody saw "${what}" within ${patienceMs / 1_000} seconds\n${await whenLost()}`);
  }
  return {
    note(what, at) {
      if (seen.has(what)) return;
      seen.set(what, at);
      waiting.get(what)?.(at);
      waiting.delete(what);
    },
    of(what) {
      const at = seen.get(what);
      if (at !== undefined) return Promise.resolve(at);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => void giveUp(what).catch(reject), patienceMs);
        waiting.set(what, (moment) => {
          clearTimeout(timer);
          resolve(moment);
        });
      });
    },
  };
}
