import type { Clock } from '../../ports/clock.ts';
import type { LogFields } from './keys.ts';
import { redact } from './redact.ts';

/** Error wakes someone; warn explains a delay; info is the story; debug is ours. */
export type Level = 'error' | 'warn' | 'info' | 'debug';

export interface Logger {
  error(msg: string, fields?: LogFields): void;
  warn(msg: string, fields?: LogFields): void;
  info(msg: string, fields?: LogFields): void;
  debug(msg: string, fields?: LogFields): void;
}

const ranks: Record<Level, number> = { error: 0, warn: 1, info: 2, debug: 3 };

export interface LoggerSettings {
  readonly level: Level;
  readonly stage?: string | undefined;
  readonly write: (line: string) => void;
  readonly clock: Pick<Clock, 'now'>;
}

/** One JSON object per line. */
export function openLogger({ level, stage, write, clock }: LoggerSettings): Logger {
  const shown = ranks[level];
  function log(at: Level, msg: string, fields: LogFields = {}): void {
    if (ranks[at] > shown) return;
    const line = JSON.stringify({ ts: new Date(clock.now()).toISOString(), level: at, msg, stage, ...fields }, clean);
    write(`${line}\n`);
  }
  return {
    error: (msg, fields) => log('error', msg, fields),
    warn: (msg, fields) => log('warn', msg, fields),
    info: (msg, fields) => log('info', msg, fields),
    debug: (msg, fields) => log('debug', msg, fields),
  };
}

// Ids and numbers cannot hold a secret; free text can.
const free = new Set(['error', 'stack', 'reason', 'url', 'name', 'effects', 'message']);

function clean(key: string, value: unknown): unknown {
  return typeof value === 'string' && (free.has(key) || !Number.isNaN(Number(key))) ? redact(value) : value;
}
