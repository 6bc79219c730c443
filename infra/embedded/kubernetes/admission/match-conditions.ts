import { type Environment, EvaluationError } from '@marcbachmann/cel-js';
import { joinedErrors } from '../auth/go-text.ts';
import { checkingEnvironment } from '../schema/cel/environment.ts';

/** What expressions may speak of. */
interface ConditionContext {
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly request: unknown;
}

type ConditionAnswer = { readonly matches: boolean } | { readonly error: string };

export type MatchConditions = (context: () => ConditionContext) => ConditionAnswer;

let shared: Environment | undefined;

function environment(): Environment {
  shared ??= checkingEnvironment()
    .registerVariable('object', 'dyn')
    .registerVariable('oldObject', 'dyn')
    .registerVariable('request', 'dyn');
  return shared;
}

/** Whole numbers are integers to an expression. */
function asCel(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(asCel);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, asCel(item)]));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof EvaluationError)) return error instanceof Error ? error.message : String(error);
  return error.code === 'no_such_key' ? error.summary.replace(/^No such key/, 'no such key') : error.summary;
}

/** What is wrong with an expression before it is ever asked; undefined where it is well. */
export function conditionProblem(expression: string): string | undefined {
  const { valid, type, error } = environment().check(expression);
  if (!valid) return `compilation failed: ${error?.message ?? 'the expression is not valid'}`;
  return type === 'bool' ? undefined : `must evaluate to bool but got ${type ?? 'dyn'}`;
}

type Program = (values: Record<string, unknown>) => unknown;

/** An expression that cannot be read fails when it is asked, as one that cannot be evaluated does. */
function compile(expression: string): Program {
  try {
    return environment().parse(expression);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/**
 * All conditions must hold. One that does not hold settles it, whatever errors the others have; else an error is an error.
 */
export function compileConditions(expressions: readonly string[]): MatchConditions {
  if (expressions.length === 0) return () => ({ matches: true });
  const programs = expressions.map((expression) => ({ expression, run: compile(expression) }));
  return (context) => {
    const values = asCel(context()) as Record<string, unknown>;
    const errors: string[] = [];
    for (const { expression, run } of programs) {
      try {
        if (run(values) !== true) return { matches: false };
      } catch (error) {
        errors.push(`expression '${expression}' resulted in error: ${reasonOf(error)}`);
      }
    }
    return errors.length === 0 ? { matches: true } : { error: joinedErrors(errors) };
  };
}
