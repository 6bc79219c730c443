/** A schema node as it stands in a CRD. */
export type Node = Readonly<Record<string, unknown>>;

const forbidden = [
  '$ref',
  '$schema',
  '$defs',
  'definitions',
  'oneOf',
  'allOf',
  'not',
  'const',
  'patternProperties',
  'propertyNames',
  'dependencies',
  'deprecated',
  'discriminator',
  'id',
  'readOnly',
  'uniqueItems',
  'writeOnly',
  'xml',
  'exclusiveMinimum',
  'exclusiveMaximum',
];

/** The children of a node, each with the path to it. */
export function children(node: Node, path: string): [string, Node][] {
  const properties = Object.entries((node['properties'] ?? {}) as Record<string, Node>);
  return [
    ...properties.map(([name, child]): [string, Node] => [`${path}.${name}`, child]),
    ...(node['items'] === undefined ? [] : [[`${path}[]`, node['items'] as Node] satisfies [string, Node]]),
    ...(typeof node['additionalProperties'] === 'object'
      ? [[`${path}{}`, node['additionalProperties'] as Node] satisfies [string, Node]]
      : []),
  ];
}

/** What keeps a schema from being structural, as the API server understands it. Nothing: it is. */
export function structuralProblems(node: Node, path = ''): string[] {
  return [...ownProblems(node).map((problem) => `${path}: ${problem}`), ...children(node, path).flatMap(below)];
}

function below([path, node]: [string, Node]): string[] {
  return structuralProblems(node, path);
}

function ownProblems(node: Node): string[] {
  const open = node['x-kubernetes-preserve-unknown-fields'] === true;
  const intOrString = node['x-kubernetes-int-or-string'] === true;
  const keys = node['x-kubernetes-list-map-keys'] as readonly string[] | undefined;
  const item = node['items'] as Node | undefined;
  return [
    ...(node['type'] === undefined && !open && !intOrString ? ['has no type'] : []),
    ...(node['anyOf'] !== undefined && !intOrString ? ['has alternatives'] : []),
    ...(typeof node['additionalProperties'] === 'boolean' ? ['is closed or open by additionalProperties'] : []),
    ...(node['properties'] !== undefined && node['additionalProperties'] !== undefined ? ['is object and map'] : []),
    ...(node['type'] === 'array' && item === undefined ? ['has no items'] : []),
    ...(node['x-kubernetes-list-type'] === 'map' && keys === undefined ? ['has no key'] : []),
    ...(keys ?? [])
      .filter((key) => !((item?.['required'] ?? []) as readonly string[]).includes(key))
      .map((key) => `has entries that may lack the key ${key}`),
    ...forbidden.filter((word) => node[word] !== undefined).map((word) => `says ${word}`),
  ];
}
