/** What a path of the API names, before anybody knows whether it is served. */
export interface RequestPath {
  readonly isResourceRequest: boolean;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
}

const nothing: RequestPath = {
  isResourceRequest: false,
  group: '',
  version: '',
  namespace: '',
  resource: '',
  name: '',
  subresource: '',
};

/** `/api/v1/…` and `/apis/<group>/<version>/…`; everything else, and what only names a group or version, is no resource. */
export function readPath(path: string): RequestPath {
  const parts = path.split('/').filter((part) => part !== '');
  const isCore = parts[0] === 'api';
  if (!isCore && parts[0] !== 'apis') return nothing;
  const [group, version, ...rest] = isCore ? ['', ...parts.slice(1)] : parts.slice(1).map(decode);
  if (group === undefined || version === undefined || rest.length === 0) return nothing;
  const at = { group, version, isResourceRequest: true };
  const named = rest.map(decode);
  const [first = '', second = '', third, fourth, ...more] = named;
  if (first === 'namespaces' && second !== '' && third !== undefined && !isNamespaceSubresource(named)) {
    return { ...at, namespace: second, resource: third, name: fourth ?? '', subresource: more.join('/') };
  }
  const subresource = named.slice(2).join('/');
  // A namespace is in itself, as far as roles are concerned.
  return {
    ...at,
    namespace: first === 'namespaces' && group === '' ? second : '',
    resource: first,
    name: second,
    subresource,
  };
}

function isNamespaceSubresource([, , third, fourth]: readonly string[]): boolean {
  return fourth === undefined && (third === 'status' || third === 'finalize');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

/** The verb that roles, admission and audit speak of. */
export function verbOf(method: string, path: RequestPath, query: URLSearchParams): string {
  if (!path.isResourceRequest) return method.toLowerCase();
  if (method === 'DELETE') return path.name === '' ? 'deletecollection' : 'delete';
  if (method !== 'GET' && method !== 'HEAD') return verbs[method] ?? method.toLowerCase();
  if (isTrue(query.get('watch'))) return 'watch';
  return path.name === '' ? 'list' : 'get';
}

function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1' || value === '';
}
