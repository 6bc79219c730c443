import type { Condition } from '../../shared/domain/core/condition.ts';
import type { Effect, Next } from '../../shared/domain/core/step.ts';

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** As long as a name of ours with a UID in it, and a little more. */
const longestValue = 72;

/** A length of time by its two largest units: `3 h 20 min`. Below a second, in milliseconds. */
export function lengthInWords(ms: number): string {
  if (Math.abs(ms) < 1_000) return `${Math.round(ms)} ms`;
  let left = Math.round(Math.abs(ms) / 1_000) * 1_000;
  const parts = units.flatMap(([name, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.slice(0, 2).join(' ');
}

/** A moment beside now: `2 min ago`, `in 3 h`. */
export function momentInWords(moment: string, now: number): string {
  const ms = Date.parse(moment) - now;
  return ms > 0 ? `in ${lengthInWords(ms)}` : `${lengthInWords(-ms)} ago`;
}

/** `2026-01-31 12:00:01.250`, in UTC like everything that is stored. */
export function stamp(moment: string): string {
  return moment.replace('T', ' ').replace('Z', '');
}

export function effectInWords({ do: what, ...details }: Effect): string {
  return [what, ...fieldsInWords(details)].join(' ');
}

export function fieldsInWords(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== '' && value !== null)
    .map(([name, value]) => `${name}=${cut(typeof value === 'string' ? value : JSON.stringify(value))}`);
}

/** A line is for people; `--json` has the whole of it. */
function cut(text: string): string {
  return text.length <= longestValue ? text : `${text.slice(0, longestValue - 1)}…`;
}

export function conditionInWords({ type, status, reason, message }: Condition): string {
  return `${type}=${status} ${reason}: ${message}`;
}

export function nextInWords(next: Next): string {
  if (next.kind === 'settled') return 'settled';
  const { reason, message, deadlineSeconds } = next.wait;
  const how = next.kind === 'recheck' ? `looks again after ${seconds(next.afterSeconds)}` : `blocked on ${next.on}`;
  return `${how}, for ${seconds(deadlineSeconds)} at the most: ${reason}: ${message}`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function seconds(amount: number): string {
  return lengthInWords(amount * 1_000);
}
