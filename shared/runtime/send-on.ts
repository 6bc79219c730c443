import { inWords } from '../domain/core/subject.ts';
import type { Message } from '../ports/journal.ts';
import type { Machine } from './machine.ts';

/**
 * Sends what stands in rows since a step has ended: what it has decided, and knocks that came while it worked. What the
 * queue does not take now, the sweeper sends.
 */
export async function sendOn(
  messages: readonly Message[],
  decided: readonly Message[],
  from: string,
  machine: Pick<Machine, 'handOver' | 'queue' | 'log'>,
): Promise<void> {
  const later = new Map(
    decided.flatMap((message) => (message.delaySeconds ? [[doorOf(message), message.delaySeconds]] : [])),
  );
  const waits = (message: Message): boolean => later.has(doorOf(message));
  const now = messages.filter((message) => !waits(message));
  // The rows stand, so whoever takes them here and dies loses nothing: the sweeper sends them.
  const left = machine.handOver?.(now) ?? now;
  const deliveries = [
    ...left.map((message) => ({ message, from, pending: true })),
    // Whoever knocked at a door that is to be looked at later comes along.
    ...messages
      .filter(waits)
      .map((message) => ({ message, from, pending: true, delaySeconds: later.get(doorOf(message)) ?? 0 })),
  ];
  try {
    await machine.queue.send(deliveries);
  } catch (error) {
    machine.log.warn('follow-ups wait for the sweeper', { fn: from, count: deliveries.length, error: String(error) });
  }
}

function doorOf({ function: name, subject }: Message): string {
  return `${name} ${inWords(subject)}`;
}
