import { type ASTNode, type Environment, ParseError, TypeError as RuleTypeError } from '@marcbachmann/cel-js';
import { goRegExp } from '../go-regexp.ts';
import { locate, pointAt } from './locate.ts';
import { walkExpression } from './walk-expression.ts';

/** What the real server has and the evaluator lacks, by the name that is called or the variable that it hangs on. */
const lackedNames = new Set([
  ...['ip', 'cidr', 'isCIDR', 'semver', 'isSemver', 'transformList', 'transformMap', 'transformMapEntry', 'existsOne'],
]);
const lackedVariables = new Set(['format', 'lists', 'strings']);
const macros = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** Why an expression of that type cannot be taken, in the words of the real server; nothing where it can. */
export function judgeExpression(environment: Environment, source: string, type: 'bool' | 'string'): string | undefined {
  let ast: ASTNode;
  try {
    ast = environment.parse(source).ast;
  } catch (error) {
    return `compilation failed: ${pointAt(source, positionOf(error, source), `Syntax error: ${summaryOf(error)}`)}`;
  }
  const lacked = findLacked(ast);
  if (lacked !== undefined) {
    return `compilation failed: ${lacked} is not supported by the embedded API server, a development stand-in; start Stagecoach with --kubeconfig or with --real to use a real cluster`;
  }
  const fault = findFault(ast);
  if (fault !== undefined) return `compilation failed: ${fault}`;
  const result = environment.check(source);
  if (!result.valid) return `compilation failed: ${tell(result.error, source, environment)}`;
  const missing = findMissingField(ast, environment);
  if (missing !== undefined) return `compilation failed: ${missing}`;
  if (result.type === type || result.type === 'dyn' || result.type?.startsWith('dyn<')) return undefined;
  return type === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string';
}

function findLacked(ast: ASTNode): string | undefined {
  let lacked: string | undefined;
  walkExpression(ast, (node) => {
    if (node.op === 'rcall' && macros.has(node.args[0]) && node.args[2].length === 3 && node.args[0] !== 'map') {
      lacked ??= `${node.args[0]}() with two variables`;
    }
    if ((node.op === 'call' || node.op === 'rcall') && lackedNames.has(node.args[0])) lacked ??= `${node.args[0]}()`;
    if (node.op === 'rcall' && node.args[1].op === 'id' && lackedVariables.has(node.args[1].args)) {
      lacked ??= `${node.args[1].args}.${node.args[0]}()`;
    }
  });
  return lacked;
}

/** What the evaluator lets pass and the real server does not. */
function findFault(ast: ASTNode): string | undefined {
  let fault: string | undefined;
  walkExpression(ast, (node) => {
    if (node.op === 'id' && node.args === 'cel') {
      fault ??= pointAt(node.input, node.start, "undeclared reference to 'cel' (in container '')");
    }
    const [pattern] = node.op === 'rcall' && node.args[0] === 'matches' ? node.args[2] : [];
    if (pattern?.op === 'value' && typeof pattern.args === 'string' && !isPattern(pattern.args)) {
      fault ??= pointAt(node.input, pattern.start, 'invalid matches argument');
    }
  });
  return fault;
}

/** The evaluator does not look at what stands in `has()`. It does when the field is read instead. */
function findMissingField(ast: ASTNode, environment: Environment): string | undefined {
  const asked: ASTNode[] = [];
  walkExpression(ast, (node) => {
    if (node.op === 'call' && node.args[0] === 'has') asked.push(node);
  });
  for (const node of asked) {
    const [field] = node.op === 'call' ? node.args[1] : [];
    if (field?.op !== '.') continue;
    const read = `${ast.input.slice(0, node.start)}(dyn(${ast.input.slice(field.start, field.end)}) == 1)${ast.input.slice(node.end)}`;
    const { error } = environment.check(read);
    if (!(error instanceof RuleTypeError) || error.code !== 'no_such_key') continue;
    const name = error.summary.replace(/^No such key: /, '');
    const isLast = name === field.args[1];
    return pointAt(ast.input, isLast ? locate(node) : locate(field.args[0]), `undefined field '${name}'`);
  }
  return undefined;
}

function isPattern(source: string): boolean {
  try {
    goRegExp(source);
    return true;
  } catch {
    return false;
  }
}

function tell(error: unknown, source: string, environment: Environment): string {
  const node = error instanceof RuleTypeError ? error.node : undefined;
  const summary = summaryOf(error);
  if (!(error instanceof RuleTypeError) || node === undefined)
    return pointAt(source, positionOf(error, source), summary);
  const at = (text: string, position = locate(node)) => pointAt(source, position, text);
  switch (error.code) {
    case 'no_such_key':
      return at(`undefined field '${summary.replace(/^No such key: /, '')}'`);
    case 'unknown_variable':
      return at(`undeclared reference to '${summary.replace(/^Unknown variable: /, '')}' (in container '')`);
    case 'no_such_overload': {
      const [left = '', right] = summary.replace(/^no such overload: /, '').split(` ${node.op} `);
      if (right === undefined)
        return at(`found no matching overload for '${node.op}' applied to '(${typeName(left.slice(1))})'`);
      const types = `(${typeName(left)}, ${typeName(right)})`;
      return at(`found no matching overload for '_${node.op}_' applied to '${types}'`);
    }
    case 'no_matching_overload':
      return at(tellCall(node, summary, environment));
    case 'invalid_logical_operand':
      return at(`expected type 'bool' but found ${/'.*'$/.exec(summary)?.[0] ?? ''}`);
    case 'invalid_comprehension_range':
      return at(summary.replace(/^E/, 'e').replace(/\.$/, ''));
    default:
      return at(summary);
  }
}

function tellCall(node: ASTNode, summary: string, environment: Environment): string {
  const name = node.op === 'call' || node.op === 'rcall' ? node.args[0] : '';
  const isKnown = environment.getDefinitions().functions.some((each) => each.name === name);
  if (!isKnown) return `undeclared reference to '${name}' (in container '')`;
  const call = /^found no matching overload for '(.*)'$/.exec(summary)?.[1] ?? '';
  const open = call.indexOf(`${name}(`);
  return `found no matching overload for '${name}' applied to '${typeName(call.slice(0, open))}${typeName(call.slice(open + name.length))}'`;
}

/** `list<string>` is `list(string)` there. */
function typeName(name: string): string {
  return name
    .replaceAll('google.protobuf.Timestamp', 'timestamp')
    .replaceAll('google.protobuf.Duration', 'duration')
    .replaceAll('<', '(')
    .replaceAll('>', ')');
}

/** What the real server says where an expression ends too early. */
const early: Readonly<Record<string, string>> = {
  'Unexpected token: EOF':
    "mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
  'Expected IDENTIFIER, got EOF': "no viable alternative at input '.'",
  'Expected RPAREN, got EOF': "missing ')' at '<EOF>'",
};

function summaryOf(error: unknown): string {
  if (error instanceof ParseError || error instanceof RuleTypeError) return early[error.summary] ?? error.summary;
  return error instanceof Error ? error.message : String(error);
}

function positionOf(error: unknown, source: string): number {
  const range = error instanceof ParseError || error instanceof RuleTypeError ? error.range : undefined;
  return range?.start ?? source.length;
}
