import type { FieldError } from '../status-error.ts';
import type { Base } from './check-scalars.ts';

/** There is no old value that this one could be compared with. */
export const noOld = Symbol('no old value');

/** Collects what is wrong, each text once. */
export interface Sink {
  readonly base: Base;
  readonly errors: FieldError[];
}

/**
 * Checks a value and counts how many checks it passed: where alternatives fail, the errors of the one that came
 * furthest are told.
 */
export type ValueCheck = (value: unknown, old: unknown, path: string, sink: Sink) => number;

export function addErrors(sink: Sink, errors: readonly FieldError[]): void {
  for (const error of errors) {
    const isKnown = sink.errors.some(({ field, message }) => field === error.field && message === error.message);
    if (!isKnown) sink.errors.push(error);
  }
}
