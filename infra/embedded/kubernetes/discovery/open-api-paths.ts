import { apiVersionOf, type ServedKind, type Verb } from '../kinds/served-kind.ts';
import { componentName } from './open-api-schemas.ts';
import { subresourceFacts } from './subresource-facts.ts';

type Document = Record<string, unknown>;

interface Operation {
  readonly method: string;
  readonly action: string;
  readonly verb: Verb;
}

const onCollection: readonly Operation[] = [
  { method: 'get', action: 'list', verb: 'list' },
  { method: 'post', action: 'post', verb: 'create' },
  { method: 'delete', action: 'deletecollection', verb: 'deletecollection' },
];
const onObject: readonly Operation[] = [
  { method: 'get', action: 'get', verb: 'get' },
  { method: 'put', action: 'put', verb: 'update' },
  { method: 'delete', action: 'delete', verb: 'delete' },
  { method: 'patch', action: 'patch', verb: 'patch' },
];
const patchTypes = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
/** `kubectl apply` reads here which kinds take one, and sends it to no other. */
const strategicPatchType = 'application/strategic-merge-patch+json';

function queryParameter(name: string, type = 'string'): Document {
  return { name, in: 'query', schema: { type, uniqueItems: true } };
}

/** Clients read here whether a request may say `fieldValidation` and `dryRun`. */
function parametersOf(method: string): readonly Document[] {
  if (method === 'get') return ['resourceVersion'].map((name) => queryParameter(name));
  const names = method === 'delete' ? ['dryRun'] : ['dryRun', 'fieldManager', 'fieldValidation'];
  return [
    ...names.map((name) => queryParameter(name)),
    ...(method === 'patch' ? [queryParameter('force', 'boolean')] : []),
  ];
}

function patchTypesOf({ isCustom }: ServedKind): readonly string[] {
  return isCustom ? patchTypes : [...patchTypes, strategicPatchType];
}

function operation(kind: ServedKind, { method, action }: Operation, prefix: string): Document {
  const { group, version } = kind;
  const answer = action === 'list' ? kind.listKind : kind.kind;
  const $ref = `${prefix}${componentName(kind).replace(/[^.]+$/, answer)}`;
  const isPatch = method === 'patch';
  const takes = isPatch ? patchTypesOf(kind) : ['application/json'];
  const body = isPatch ? { type: 'object' } : { $ref };
  const hasBody = method === 'post' || method === 'put' || isPatch;
  return {
    operationId: `${action}${group}${version}${kind.kind}`.replaceAll(/[^A-Za-z0-9]/g, ''),
    parameters: parametersOf(method),
    ...(hasBody ? { requestBody: { content: Object.fromEntries(takes.map((type) => [type, { schema: body }])) } } : {}),
    responses: { 200: { description: 'OK', content: { 'application/json': { schema: { $ref } } } } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind: kind.kind },
  };
}

function pathItem(
  kind: ServedKind,
  operations: readonly Operation[],
  prefix: string,
  inPath: readonly string[],
): Document {
  const parameters = inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const served = operations.map((one) => [one.method, operation(kind, one, prefix)] as const);
  return { ...Object.fromEntries(served), ...(parameters.length === 0 ? {} : { parameters }) };
}

/** The endpoints of one kind. */
export function pathsOf(kind: ServedKind, prefix: string): Document {
  const root = `${kind.group === '' ? '/api' : '/apis'}/${apiVersionOf(kind)}`;
  const collection = `${root}${kind.namespaced ? '/namespaces/{namespace}' : ''}/${kind.plural}`;
  const inCollection = kind.namespaced ? ['namespace'] : [];
  const served = ({ verb }: Operation) => kind.verbs.includes(verb);
  const paths: Document = {};
  if (kind.namespaced && kind.verbs.includes('list')) {
    paths[`${root}/${kind.plural}`] = pathItem(kind, onCollection.slice(0, 1), prefix, []);
  }
  paths[collection] = pathItem(kind, onCollection.filter(served), prefix, inCollection);
  const objectOperations = onObject.filter(served);
  if (objectOperations.length === 0) return paths;
  paths[`${collection}/{name}`] = pathItem(kind, objectOperations, prefix, ['name', ...inCollection]);
  for (const { name, verbs } of subresourceFacts(kind)) {
    const operations = onObject.filter(({ verb }) => verbs.includes(verb));
    paths[`${collection}/{name}/${name}`] = pathItem(kind, operations, prefix, ['name', ...inCollection]);
  }
  return paths;
}
