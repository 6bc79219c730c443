import type { ASTNode } from '@marcbachmann/cel-js';

/** Where the real server says that a part of an expression is: at its operator, its dot or its bracket. */
export function locate(node: ASTNode): number {
  const { input } = node;
  switch (node.op) {
    case '.':
    case '.?':
      return orStart(node, input.indexOf('.', node.args[0].end));
    case '[]':
    case '[?]':
      return orStart(node, input.indexOf('[', node.args[0].end));
    case 'call':
      return orStart(node, input.indexOf('(', node.start));
    case 'rcall': {
      const name = input.indexOf(node.args[0], node.args[1].end);
      return orStart(node, input.indexOf('(', name));
    }
    case '?:':
      return orStart(node, input.indexOf('?', node.args[0].end));
    case 'value':
    case 'id':
    case 'list':
    case 'map':
    case '!_':
    case '-_':
      return node.start;
    default:
      return orStart(node, input.indexOf(node.op, node.args[0].end));
  }
}

function orStart(node: ASTNode, found: number): number {
  return found < 0 ? node.start : found;
}

/** The text of an error with its line and an arrow below the place. */
export function pointAt(input: string, position: number, text: string): string {
  const before = input.slice(0, position).split('\n');
  const line = input.split('\n')[before.length - 1] ?? '';
  const column = before.at(-1)?.length ?? 0;
  return `ERROR: <input>:${before.length}:${column + 1}: ${text}\n | ${line}\n | ${'.'.repeat(column)}^`;
}
