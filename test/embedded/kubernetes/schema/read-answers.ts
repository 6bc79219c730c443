import { readFileSync } from 'node:fs';
import type { Answer } from './play-scenario.ts';

/** What a real server said, as record-answers.ts wrote it down. */
export interface RecordedAnswers {
  readonly played: Readonly<Record<string, readonly Answer[]>>;
  readonly judged: Readonly<Record<string, readonly string[]>>;
  readonly decoded: readonly string[];
}

export function readAnswers(): RecordedAnswers {
  return JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8')) as RecordedAnswers;
}
