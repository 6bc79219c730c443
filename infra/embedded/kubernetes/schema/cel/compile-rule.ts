import { EvaluationError, Optional } from '@marcbachmann/cel-js';
import type { Schema, ValidationRule } from '../schema.ts';
import { insteadOf } from './add-text-functions.ts';
import { runningEnvironment } from './environment.ts';
import { findFieldPath } from './field-path.ts';
import { walkExpression } from './walk-expression.ts';

/** A rule that can be asked. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly usesOldSelf: boolean;
  /** Below the value that the rule is about. */
  readonly fieldPath: string;
  /** Throws where the rule cannot be decided. */
  holds(self: unknown, oldSelf: unknown): boolean;
  /** What to tell where it does not hold. */
  explain(self: unknown, oldSelf: unknown): string;
}

type Program = (context: Readonly<Record<string, unknown>>) => unknown;

/** Longer sentences are not told. */
const maxMessageBytes = 5 * 1024;

export function compileRule(rule: ValidationRule, schema: Schema): CompiledRule {
  const isOldOptional = rule.optionalOldSelf === true;
  const { program, usesOldSelf } = compileExpression(rule.rule, isOldOptional);
  const message = rule.messageExpression ? compileExpression(rule.messageExpression, isOldOptional).program : undefined;
  const found = rule.fieldPath ? findFieldPath(rule.fieldPath, schema) : { path: '' };
  return {
    rule,
    usesOldSelf,
    fieldPath: 'path' in found ? found.path : '',
    holds(self, oldSelf) {
      return program(contextOf(self, isOldOptional ? optionalOf(oldSelf) : oldSelf)) === true;
    },
    explain: (self, oldSelf) =>
      messageOf(message, contextOf(self, isOldOptional ? optionalOf(oldSelf) : oldSelf)) ?? plainMessage(rule),
  };
}

function compileExpression(
  source: string,
  isOldOptional: boolean,
): { readonly program: Program; readonly usesOldSelf: boolean } {
  const program = runningEnvironment(isOldOptional).parse(source);
  let usesOldSelf = false;
  walkExpression(program.ast, (node) => {
    if (node.op === 'id' && node.args === 'oldSelf') usesOldSelf = true;
    if (node.op === 'rcall') node.args[0] = insteadOf.get(node.args[0]) ?? node.args[0];
  });
  return { program, usesOldSelf };
}

function contextOf(self: unknown, oldSelf: unknown): Readonly<Record<string, unknown>> {
  return oldSelf === undefined ? { self } : { self, oldSelf };
}

function optionalOf(oldSelf: unknown): Optional {
  return oldSelf === undefined ? Optional.none() : Optional.of(oldSelf);
}

/** Nothing where the expression fails or gives no single line: then the fixed message is told. */
function messageOf(program: Program | undefined, context: Readonly<Record<string, unknown>>): string | undefined {
  if (program === undefined) return undefined;
  let message: unknown;
  try {
    message = program(context);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
  if (typeof message !== 'string') return undefined;
  const text = message.trim();
  return text === '' || text.includes('\n') || Buffer.byteLength(text) > maxMessageBytes ? undefined : text;
}

function plainMessage(rule: ValidationRule): string {
  return rule.message ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`;
}
