import type { FieldError } from '../status-error.ts';

/** The parts of a label selector that hold, whatever else was written. */
interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function requirementsOf(selector: unknown): readonly Requirement[] {
  const { matchLabels, matchExpressions } = fields(selector);
  const equal = Object.entries(fields(matchLabels)).map(([key, value]) => ({
    key,
    operator: 'In',
    values: [String(value)],
  }));
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.map(fields) : [];
  return [
    ...equal,
    ...expressions.map(({ key, operator, values }) => ({
      key: String(key ?? ''),
      operator: String(operator ?? ''),
      values: Array.isArray(values) ? values.map(String) : [],
    })),
  ];
}

function holds({ key, operator, values }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

/** Whether labels satisfy a LabelSelector. The empty selector is satisfied by everything, an absent one by nothing. */
export function matchesSelector(selector: unknown, labels: Readonly<Record<string, string>> | undefined): boolean {
  if (selector === undefined || selector === null) return false;
  return requirementsOf(selector).every((requirement) => holds(requirement, labels ?? {}));
}

const namePart = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

export function isSubdomain(text: string): boolean {
  return text.length <= 253 && subdomain.test(text);
}

/** What is wrong with a label key or another qualified name, in the words of the API. */
export function qualifiedNameProblems(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const problems: string[] = [];
  if (parts.length === 2 && parts[0] === '') problems.push('prefix part must be non-empty');
  else if (parts.length === 2 && !isSubdomain(parts[0] ?? '')) problems.push(`prefix part ${subdomainRule}`);
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 bytes');
  if (!namePart.test(name)) {
    problems.push(
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    );
  }
  return problems;
}

function labelValueProblems(value: string): string[] {
  const problems = value.length > 63 ? ['must be no more than 63 bytes'] : [];
  if (labelValue.test(value)) return problems;
  return [
    ...problems,
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ];
}

function invalidValue(field: string, value: string, problem: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(value)}: ${problem}` };
}

function requirementErrors({ key, operator, values }: Requirement, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push({
        reason: 'FieldValueRequired',
        field: `${path}.values`,
        message: "Required value: must be specified when `operator` is 'In' or 'NotIn'",
      });
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      errors.push({
        reason: 'FieldValueForbidden',
        field: `${path}.values`,
        message: "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      });
    }
  } else errors.push(invalidValue(`${path}.operator`, operator, 'not a valid selector operator'));
  errors.push(...qualifiedNameProblems(key).map((problem) => invalidValue(`${path}.key`, key, problem)));
  const badValues = values.flatMap((value, index) =>
    labelValueProblems(value).map((problem) => invalidValue(`${path}.values[${index}]`, value, problem)),
  );
  return [...errors, ...badValues];
}

export function selectorErrors(selector: unknown, path: string): FieldError[] {
  const { matchLabels, matchExpressions } = fields(selector);
  const labels = Object.entries(fields(matchLabels)).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalidValue(`${path}.matchLabels`, key, problem)),
    ...labelValueProblems(String(value)).map((problem) => invalidValue(`${path}.matchLabels`, String(value), problem)),
  ]);
  const count = Array.isArray(matchExpressions) ? matchExpressions.length : 0;
  const expressions = requirementsOf({ matchExpressions })
    .slice(0, count)
    .flatMap((requirement, index) => requirementErrors(requirement, `${path}.matchExpressions[${index}]`));
  return [...labels, ...expressions];
}
