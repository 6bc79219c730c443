import { valueAt } from '../kinds/rules/fields.ts';

type Values = readonly unknown[];
type Select = (values: Values) => Values;

/** Thrown for an expression that a column cannot have; the text names the expression. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/**
 * The part of JSONPath that columns of custom kinds use: `.a.b`, `['a']`, `[0]`, `[-1]`, `[0:2]`, `[*]`, `..a`,
 * `['a','b']` and filters such as `[?(@.type=="Ready")]`. A missing field selects nothing.
 */
export function compileJsonPath(expression: string): (value: unknown) => Values {
  const selects: Select[] = [];
  let rest = expression.trim().replace(/^\{(.*)\}$/s, '$1');
  if (rest.startsWith('$')) rest = rest.slice(1);
  while (rest !== '') {
    const { select, length } = nextStep(rest, expression);
    selects.push(select);
    rest = rest.slice(length);
  }
  return (value) => selects.reduce<Values>((values, select) => select(values), [value]);
}

function nextStep(rest: string, expression: string): { select: Select; length: number } {
  if (rest.startsWith('[')) {
    const end = closingBracket(rest, expression);
    return { select: inBrackets(rest.slice(1, end).trim(), expression), length: end + 1 };
  }
  const name = /^(\.\.?)((?:\\.|[^.[\\])*)/.exec(rest);
  if (name === null) throw new JsonPathError(`unrecognized column definition "${expression}"`);
  const [whole, dots, raw] = name;
  const field = (raw ?? '').replaceAll(/\\(.)/g, '$1');
  if (dots === '..')
    return { select: (values) => values.flatMap((value) => descend(value, field)), length: whole.length };
  // A single dot stands for the object itself, and may be followed by a bracket.
  if (field === '') return { select: (values) => values, length: whole.length };
  const select = field === '*' ? everything : (values: Values) => values.flatMap((value) => fieldOf(value, field));
  return { select, length: whole.length };
}

function closingBracket(text: string, expression: string): number {
  let quote = '';
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '[') depth += 1;
    else if (character === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw new JsonPathError(`unrecognized column definition "${expression}"`);
}

function inBrackets(inner: string, expression: string): Select {
  if (inner === '*') return everything;
  const filter = /^\?\((.*)\)$/s.exec(inner);
  if (filter !== null) return filtered((filter[1] ?? '').trim(), expression);
  const names = [...inner.matchAll(/'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"/g)];
  if (names.length > 0) {
    const fields = names.map((match) => (match[1] ?? match[2] ?? '').replaceAll(/\\(.)/g, '$1'));
    return (values) => fields.flatMap((field) => values.flatMap((value) => fieldOf(value, field)));
  }
  const range = /^(-?\d+)?(?::(-?\d+)?(?::(\d+))?)?$/.exec(inner);
  if (range === null || inner === '') throw new JsonPathError(`unrecognized column definition "${expression}"`);
  if (!inner.includes(':')) {
    const index = Number(inner);
    return (values) => values.flatMap((value) => (Array.isArray(value) ? itemAt(value, index) : []));
  }
  const start = range[1] === undefined ? undefined : Number(range[1]);
  const end = range[2] === undefined ? undefined : Number(range[2]);
  const step = range[3] === undefined ? 1 : Number(range[3]);
  return (values) =>
    values.flatMap((value) =>
      Array.isArray(value) ? value.slice(start ?? 0, end ?? value.length).filter((_, at) => at % step === 0) : [],
    );
}

function itemAt(value: readonly unknown[], index: number): Values {
  const at = index < 0 ? value.length + index : index;
  return at < 0 || at >= value.length ? [] : [value[at]];
}

function everything(values: Values): Values {
  return values.flatMap((value) => {
    if (Array.isArray(value)) return value as Values;
    return typeof value === 'object' && value !== null ? sortedValues(value) : [];
  });
}

function sortedValues(value: object): Values {
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, item]) => item as unknown);
}

function fieldOf(value: unknown, name: string): Values {
  const found = valueAt(value, name);
  return found === undefined ? [] : [found];
}

function descend(value: unknown, name: string): Values {
  const below = Array.isArray(value)
    ? (value as Values)
    : typeof value === 'object' && value !== null
      ? sortedValues(value)
      : [];
  return [...fieldOf(value, name), ...below.flatMap((item) => descend(item, name))];
}

const comparison = /^(.*?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/s;

function filtered(condition: string, expression: string): Select {
  const parts = comparison.exec(condition);
  if (parts === null) {
    const exists = operand(condition, expression);
    return (values) => items(values).filter((item) => exists(item).length > 0);
  }
  const left = operand(parts[1] ?? '', expression);
  const right = operand(parts[3] ?? '', expression);
  const operator = parts[2] ?? '==';
  return (values) =>
    items(values).filter((item) => {
      const [one] = left(item);
      const [other] = right(item);
      return one !== undefined && other !== undefined && holds(one, operator, other);
    });
}

function items(values: Values): Values {
  return values.flatMap((value) => (Array.isArray(value) ? (value as Values) : []));
}

function operand(text: string, expression: string): (item: unknown) => Values {
  if (text.startsWith('@')) return compileJsonPath(text.slice(1));
  const quoted = /^(?:'(.*)'|"(.*)")$/s.exec(text);
  if (quoted !== null) return () => [quoted[1] ?? quoted[2] ?? ''];
  if (text === 'true' || text === 'false') return () => [text === 'true'];
  if (text !== '' && !Number.isNaN(Number(text))) return () => [Number(text)];
  throw new JsonPathError(`unrecognized column definition "${expression}"`);
}

function holds(left: unknown, operator: string, right: unknown): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false;
  const order = left < (right as typeof left) ? -1 : left > (right as typeof left) ? 1 : 0;
  if (operator === '<') return order < 0;
  if (operator === '>') return order > 0;
  return operator === '<=' ? order <= 0 : order >= 0;
}
