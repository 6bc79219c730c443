import type { ServedKind } from '../kinds/served-kind.ts';

interface SubresourceFacts {
  readonly name: string;
  /** Absent where the subresource speaks the kind of its object. */
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

type Fact = Omit<SubresourceFacts, 'name' | 'kind'> & { readonly kind?: string };

const known: Readonly<Record<string, Fact>> = {
  status: { verbs: ['get', 'patch', 'update'] },
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] },
  finalize: { verbs: ['update'] },
  token: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] },
  binding: { kind: 'Binding', verbs: ['create'] },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
  log: { verbs: ['get'] },
  ephemeralcontainers: { verbs: ['get', 'patch', 'update'] },
  resize: { verbs: ['get', 'patch', 'update'] },
};

/** A custom kind lists its subresources as its CRD does, a built-in one by name; seen on the real server. */
export function subresourceFacts(kind: ServedKind): readonly SubresourceFacts[] {
  const names = kind.isCustom
    ? ['status', 'scale'].filter((name) => kind.subresources.includes(name))
    : kind.subresources;
  const ordered = kind.isCustom ? names : names.toSorted();
  return ordered.map((name) => ({ kind: kind.kind, ...(known[name] ?? { verbs: ['get'] }), name }));
}
