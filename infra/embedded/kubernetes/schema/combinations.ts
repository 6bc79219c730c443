import { invalidValue } from './field-errors.ts';
import { quote } from './go-text.ts';
import type { Schema } from './schema.ts';
import { addErrors, type Sink, type ValueCheck } from './value-check.ts';

interface Outcome {
  readonly sink: Sink;
  readonly count: number;
}

/** allOf, anyOf, oneOf and not. */
export function combinationCheckOf(schema: Schema, checkOf: (schema: Schema) => ValueCheck): ValueCheck | undefined {
  const any = schema.anyOf?.map(checkOf) ?? [];
  const one = schema.oneOf?.map(checkOf) ?? [];
  const all = schema.allOf?.map(checkOf) ?? [];
  const not = schema.not === undefined ? undefined : checkOf(schema.not);
  if (any.length + one.length + all.length === 0 && not === undefined) return undefined;

  return (value, old, path, sink) => {
    let count = 0;
    const say = (text: string) => addErrors(sink, [invalidValue(sink.base.self, '', `${quote(path)} ${text}`)]);
    const tryOut = (check: ValueCheck): Outcome => {
      const own: Sink = { base: sink.base, errors: [] };
      return { sink: own, count: check(value, old, path, own) };
    };
    const take = (outcome: Outcome | undefined) => {
      if (outcome === undefined) return;
      addErrors(sink, outcome.sink.errors);
      count += outcome.count;
    };

    if (any.length > 0) {
      const outcomes = any.map(tryOut);
      const passed = outcomes.find(isPassed);
      if (passed === undefined) say('must validate at least one schema (anyOf)');
      take(passed ?? furthest(outcomes));
    }
    if (one.length > 0) {
      const outcomes = one.map(tryOut);
      const passed = outcomes.filter(isPassed);
      if (passed.length === 1) take(passed[0]);
      else {
        const found = passed.length === 0 ? 'Found none valid' : `Found ${passed.length} valid alternatives`;
        say(`must validate one and only one schema (oneOf). ${found}`);
        if (passed.length === 0) take(furthest(outcomes));
      }
    }
    if (all.length > 0) {
      const outcomes = all.map(tryOut);
      const passed = outcomes.filter(isPassed).length;
      for (const outcome of outcomes) take(outcome);
      if (passed < all.length) say(`must validate all the schemas (allOf)${passed === 0 ? '. None validated' : ''}`);
    }
    if (not !== undefined && isPassed(tryOut(not))) say('must not validate the schema (not)');
    return count;
  };
}

function isPassed({ sink }: Outcome): boolean {
  return sink.errors.length === 0;
}

function furthest(outcomes: readonly Outcome[]): Outcome | undefined {
  let best: Outcome | undefined;
  for (const outcome of outcomes) if (best === undefined || outcome.count > best.count) best = outcome;
  return best;
}
