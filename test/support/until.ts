import { setTimeout as pause } from 'node:timers/promises';

/** Looks again and again until there is something to see; throws, with what it was waiting for, after the deadline. */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | undefined | false> | Found | undefined | false,
  deadlineMs = 20_000,
): Promise<Found> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited ${deadlineMs} ms in vain for: ${what}`);
    await pause(20);
  }
}
