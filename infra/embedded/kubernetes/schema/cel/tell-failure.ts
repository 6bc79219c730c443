import { EvaluationError } from '@marcbachmann/cel-js';
import type { ValidationRule } from '../schema.ts';

/** Why a rule could not be decided, in the words of the real server. */
export function tellFailure(error: unknown, rule: ValidationRule): string {
  const about = (rule.message || rule.rule).trim();
  if (!(error instanceof EvaluationError)) return `${messageOf(error)} evaluating rule: ${about}`;
  const { code, summary } = error;
  switch (code) {
    case 'no_such_overload':
    case 'no_matching_overload':
    case 'invalid_logical_operand':
      return `'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${about}`;
    case 'no_such_key':
      return `no such key: ${summary.replace(/^No such key: /, '')} evaluating rule: ${about}`;
    case 'index_out_of_bounds':
      return `index out of bounds: ${/index (-?\d+)/.exec(summary)?.[1] ?? ''} evaluating rule: ${about}`;
    case 'modulo_by_zero':
      return `modulus by zero evaluating rule: ${about}`;
    case 'numeric_overflow':
      return `integer overflow evaluating rule: ${about}`;
    default:
      return `${summary} evaluating rule: ${about}`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
