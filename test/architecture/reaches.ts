import { isNode, type Place, type SyntaxNode } from './source-file.ts';

/** What code may reach for beyond its arguments, and how that shows. */
export const reaches = {
  'the clock': ({ node }) =>
    isMember(node, 'Date', 'now') ||
    isMember(node, 'performance', 'now') ||
    isMember(node, 'process', 'hrtime') ||
    isMember(node, 'Temporal', 'Now') ||
    (node.type === 'NewExpression' && isName(node['callee'], 'Date') && isEmpty(node['arguments'])) ||
    (node.type === 'CallExpression' && isName(node['callee'], 'Date')),
  // Whoever hands `process` around whole, hands the environment around.
  'the environment': (place) =>
    isMember(place.node, 'process', 'env') ||
    isPartImported(place, 'process') ||
    (isUse(place, 'process') && !['object', 'expression'].includes(place.as)),
  chance: ({ node }) =>
    isMember(node, 'Math', 'random') ||
    isMember(node, 'crypto', 'randomUUID') ||
    isMember(node, 'crypto', 'getRandomValues'),
  'the network': (place) => isUse(place, 'fetch') || isUse(place, 'WebSocket') || isUse(place, 'EventSource'),
  'the console': (place) => isUse(place, 'console'),
  'the process': (place) => isUse(place, 'process'),
  'a later moment': (place) =>
    place.node['async'] === true ||
    place.node.type === 'AwaitExpression' ||
    ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'].some((name) => isUse(place, name)),
} satisfies Record<string, (place: Place) => boolean>;

export type Reach = keyof typeof reaches;

/** `owner.part`, `owner['part']`, `globalThis.owner.part`, `(owner as Other).part`. */
function isMember(node: SyntaxNode, owner: string, part: string): boolean {
  return node.type === 'MemberExpression' && isNamed(node['object'], owner) && partOf(node) === part;
}

function isNamed(value: unknown, name: string): boolean {
  const node = value as SyntaxNode;
  if (isNode(node['expression'])) return isNamed(node['expression'], name);
  return (
    isName(node, name) ||
    (node.type === 'MemberExpression' && isName(node['object'], 'globalThis') && partOf(node) === name)
  );
}

function partOf(member: SyntaxNode): unknown {
  const property = member['property'] as SyntaxNode;
  return member['computed'] === true ? property['value'] : property['name'];
}

function isName(value: unknown, name: string): boolean {
  const node = value as SyntaxNode;
  return node.type === 'Identifier' && node['name'] === name;
}

/** The global of that name is used here; a part or a field that happens to be called so is not it. */
function isUse({ node, parent, as }: Place, name: string): boolean {
  if (as === 'property' && parent.type === 'MemberExpression' && parent['computed'] !== true)
    return isName(parent['object'], 'globalThis') && isName(node, name);
  if (as === 'key' && parent['computed'] !== true) return false;
  return isName(node, name) && !parent.type.endsWith('Specifier');
}

/** Parts of a module of Node are imported, or all of it under another name, so that the uses do not show. */
function isPartImported({ node, parent, as }: Place, name: string): boolean {
  if (as !== 'specifiers' || parent.type !== 'ImportDeclaration') return false;
  const source = parent['source'] as SyntaxNode;
  return source['value'] === `node:${name}` && !(node.type === 'ImportDefaultSpecifier' && isName(node['local'], name));
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
