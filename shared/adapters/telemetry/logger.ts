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
    const line: Record<string, unknown> = { ts: new Date(clock.now()).toISOString(), level: at, msg, stage, ...fields };
    for (const key of free) if (typeof line[key] === 'string') line[key] = redact(line[key]);
    write(`${JSON.stringify(line)}\n`);
  }
  return {
    error: (msg, fields) => log('error', msg, fields),
    warn: (msg, fields) => log('warn', msg, fields),
    info: (msg, fields) => log('info', msg, fields),
    debug: (msg, fields) => log('debug', msg, fields),
  };
}

// Where the words of others get into a line. Ids, names and verbs are checked before they come here.
const free = ['error', 'stack', 'reason', 'url'] as const;
