import type { ASTNode } from '@marcbachmann/cel-js';

/** Visits every part of an expression, the whole first. */
export function walkExpression(node: ASTNode, visit: (node: ASTNode) => void): void {
  visit(node);
  for (const part of partsOf(node)) walkExpression(part, visit);
}

function partsOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}
