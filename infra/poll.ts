import { setTimeout as pause } from 'node:timers/promises';

// Every question takes time from the server that is to become ready.
const everyMs = 50;

/** Asks again and again until the answer is yes. What the last question threw is the cause when time is up. */
export async function poll(forWhat: string, limitMs: number, isThere: () => Promise<boolean> | boolean): Promise<void> {
  const limit = AbortSignal.timeout(limitMs);
  let trouble: unknown;
  for (;;) {
    try {
      if (await isThere()) return;
      trouble = undefined;
    } catch (error) {
      if (error instanceof GiveUp) throw error;
      trouble = error;
    }
    if (limit.aborted) throw new Error(`Waited ${limitMs / 1_000} s in vain for ${forWhat}.`, { cause: trouble });
    await pause(everyMs);
  }
}

/** Thrown by a question that will never be answered with yes. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp';
}
