import type { Environment } from '@marcbachmann/cel-js';
import type { FieldError } from '../../status-error.ts';
import { declareType } from '../cel/declare-type.ts';
import { checkingEnvironment } from '../cel/environment.ts';
import { findFieldPath } from '../cel/field-path.ts';
import { judgeExpression } from '../cel/judge-expression.ts';
import { walkExpression } from '../cel/walk-expression.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../field-errors.ts';
import { jsonText } from '../go-text.ts';
import type { Schema, ValidationRule } from '../schema.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** The plain fields of rules: texts, reasons and paths. */
export function checkRuleFields(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    const { message = '', messageExpression = '', fieldPath = '', reason } = rule;
    const text = (rule.rule ?? '').trim();
    if (text === '') errors.push(requiredValue(`${at}.rule`, 'rule is not specified'));
    else if (message !== '' && message.trim() === '') {
      errors.push(invalidValue(`${at}.message`, message, 'must be non-empty if specified'));
    } else if (/[\n\r]/.test(message.trim())) {
      errors.push(invalidValue(`${at}.message`, message, 'must not contain line breaks'));
    } else if (/[\n\r]/.test(text) && message === '') {
      errors.push(requiredValue(`${at}.message`, 'message must be specified if rule contains line breaks'));
    }
    if (messageExpression !== '' && messageExpression.trim() === '') {
      errors.push(requiredValue(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'));
    }
    if (reason !== undefined && !reasons.includes(reason)) {
      errors.push(unsupportedValue(`${at}.reason`, reason, reasons));
    }
    if (fieldPath !== '' && 'error' in findFieldPath(fieldPath, schema)) {
      errors.push(invalidValue(`${at}.fieldPath`, fieldPath, 'must be a valid path'));
    }
  }
  return errors;
}

/**
 * Whether the rules fit the schema that they are about. Where an element cannot be found again in the old object,
 * `uncorrelated` names the list or map that is to blame.
 */
export function checkRuleExpressions(
  schema: Schema,
  path: string,
  isResource: boolean,
  uncorrelated: string | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    const environment = environmentFor(schema, rule, isResource);
    if (environment === undefined) {
      const detail =
        'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
      errors.push({
        reason: 'InternalError',
        field: `${path}.x-kubernetes-validations`,
        message: `Internal error: ${detail}`,
      });
      continue;
    }
    const fault = judgeExpression(environment, rule.rule, 'bool');
    if (fault !== undefined) {
      errors.push(invalidRule(`${at}.rule`, rule, fault));
      continue;
    }
    const message = rule.messageExpression ? judgeExpression(environment, rule.messageExpression, 'string') : undefined;
    if (message !== undefined) {
      const detail = message.startsWith('compilation') ? `messageExpression ${message}` : message;
      errors.push(invalidRule(`${at}.messageExpression`, rule, detail));
    }
    if (usesOldSelf(environment, rule.rule)) {
      if (uncorrelated !== undefined) {
        const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
        errors.push(invalidValue(`${at}.rule`, rule.rule, detail));
      }
    } else if (rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      errors.push(invalidValue(`${at}.optionalOldSelf`, rule.optionalOldSelf, detail));
    }
  }
  return errors;
}

function environmentFor(schema: Schema, rule: ValidationRule, isResource: boolean): Environment | undefined {
  const environment = checkingEnvironment();
  const type = declareType(environment, schema, 'selfType', isResource);
  if (type === undefined) return undefined;
  const oldType = rule.optionalOldSelf === true ? `optional<${type}>` : type;
  return environment.registerVariable('self', type).registerVariable('oldSelf', oldType);
}

function usesOldSelf(environment: Environment, source: string): boolean {
  let isUsed = false;
  walkExpression(environment.parse(source).ast, (node) => {
    if (node.op === 'id' && node.args === 'oldSelf') isUsed = true;
  });
  return isUsed;
}

/** The whole rule is printed, under the names that its fields have inside the real server. */
function invalidRule(field: string, rule: ValidationRule, detail: string): FieldError {
  const printed = [
    ['Rule', rule.rule],
    ['Message', rule.message ?? ''],
    ['MessageExpression', rule.messageExpression ?? ''],
    ['Reason', rule.reason ?? null],
    ['FieldPath', rule.fieldPath ?? ''],
    ['OptionalOldSelf', rule.optionalOldSelf ?? null],
  ].map(([key, value]) => `"${key}":${jsonText(value)}`);
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: {${printed.join(',')}}: ${detail}` };
}
