import { z } from 'zod';
import { Exit, exits } from './exit.ts';

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);
const sizes: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/** Reads a moment (`2026-01-31T12:00:00Z`, `2026-01-31`) or a length of time before now (`2h`, `1d12h`, `90s`). */
export function readWhen(option: string, text: string, now: number): number {
  if (moment.safeParse(text).success) return Date.parse(text);
  const parts = /^(?:\d+[dhms])+$/.test(text) ? [...text.matchAll(/(\d+)([dhms])/g)] : [];
  if (parts.length === 0) {
    throw new Exit(
      exits.wrongUsage,
      `${option} does not understand "${text}". Write a moment like 2026-01-31T12:00:00Z, or how long ago: 90s, 30m, 2h, 1d12h.`,
    );
  }
  return now - parts.reduce((sum, [, amount = '0', unit = 's']) => sum + Number(amount) * (sizes[unit] ?? 0), 0);
}
