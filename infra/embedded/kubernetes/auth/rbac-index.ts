import { matchesSelector } from '../admission/label-selector.ts';
import type { ApiObject } from '../api-object.ts';
import type { StoreReader } from '../internal-api.ts';
import { storageOf } from '../kinds/served-kind.ts';
import type { User } from '../user.ts';
import { quoted } from './go-text.ts';
import { type PolicyRule, rulesIn } from './policy-rule.ts';

export const rbacGroup = 'rbac.authorization.k8s.io';

const roles = storageOf(rbacGroup, 'roles');
const clusterRoles = storageOf(rbacGroup, 'clusterroles');
const roleBindings = storageOf(rbacGroup, 'rolebindings');
const clusterRoleBindings = storageOf(rbacGroup, 'clusterrolebindings');
const watched: ReadonlySet<string> = new Set([roles, clusterRoles, roleBindings, clusterRoleBindings]);

export interface RoleReference {
  readonly kind: string;
  readonly name: string;
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

interface Binding {
  readonly title: string;
  readonly namespace: string;
  readonly reference: RoleReference;
  readonly subjects: readonly Subject[];
}

/** One rule that a user has, and the binding that gives it. */
interface Grant {
  readonly rule: PolicyRule;
  source(): string;
}

interface Grants {
  readonly grants: readonly Grant[];
  readonly errors: readonly string[];
}

interface RbacIndex {
  grantsFor(user: User, namespace: string): Grants;
  rulesOfRole(reference: RoleReference, namespace: string): readonly PolicyRule[] | undefined;
  stop(): void;
}

/** Users times namespaces whose grants are kept; past it everything is forgotten at once, which costs a look-up each. */
const largestCache = 2_000;

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function roleReferenceOf(binding: ApiObject): RoleReference {
  const reference = fields(binding['roleRef']);
  return { kind: text(reference['kind']), name: text(reference['name']) };
}

function bindingOf(object: ApiObject): Binding {
  const name = object.metadata.name ?? '';
  const namespace = object.metadata.namespace ?? '';
  const subjects = Array.isArray(object['subjects']) ? object['subjects'].map(fields) : [];
  return {
    title: namespace === '' ? `ClusterRoleBinding ${quoted(name)}` : `RoleBinding ${quoted(`${name}/${namespace}`)}`,
    namespace,
    reference: roleReferenceOf(object),
    subjects: subjects.map((subject) => ({
      kind: text(subject['kind']),
      name: text(subject['name']),
      namespace: text(subject['namespace']),
    })),
  };
}

function isSubject(user: User, subject: Subject, namespace: string): boolean {
  switch (subject.kind) {
    case 'User':
      return user.name === subject.name;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount': {
      const home = subject.namespace === '' ? namespace : subject.namespace;
      return home !== '' && user.name === `system:serviceaccount:${home}:${subject.name}`;
    }
    default:
      return false;
  }
}

function describe({ title, reference, namespace }: Binding, subject: Subject): string {
  const home = subject.namespace === '' ? namespace : subject.namespace;
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${home}` : subject.name;
  return `${title} of ${reference.kind} ${quoted(reference.name)} to ${subject.kind} ${quoted(who)}`;
}

function missing({ kind, name }: RoleReference): string {
  if (kind !== 'Role' && kind !== 'ClusterRole') return `unsupported role reference kind: ${quoted(kind)}`;
  return `${kind.toLowerCase()}.${rbacGroup} ${quoted(name)} not found`;
}

/** The selectors of an aggregated ClusterRole; undefined for one that is not. */
function selectorsOf(role: ApiObject): readonly unknown[] | undefined {
  const selectors = fields(role['aggregationRule'])['clusterRoleSelectors'];
  return Array.isArray(selectors) && selectors.length > 0 ? selectors : undefined;
}

/**
 * Who has which rules. Everything is computed from the store at the first question after a change of a role or binding,
 * and kept until the next change, so that a request costs one look-up and the comparison with the user's own rules.
 */
export function createRbacIndex(read: StoreReader): RbacIndex {
  const granted = new Map<string, Grants>();
  const resolved = new Map<string, readonly PolicyRule[] | undefined>();
  const bindings = new Map<string, readonly Binding[]>();
  let isStale = false;

  const unsubscribe = read.subscribe(({ storage }) => {
    if (watched.has(storage)) isStale = true;
  });

  function refresh(): void {
    if (!isStale && granted.size <= largestCache) return;
    isStale = false;
    granted.clear();
    resolved.clear();
    bindings.clear();
  }

  function bindingsIn(namespace: string): readonly Binding[] {
    const known = bindings.get(namespace);
    if (known !== undefined) return known;
    const storage = namespace === '' ? clusterRoleBindings : roleBindings;
    const found = read.list(storage, namespace === '' ? undefined : namespace).map(bindingOf);
    bindings.set(namespace, found);
    return found;
  }

  /**
   * On a real cluster a controller copies the rules of the selected roles into an aggregated one; here they are looked
   * up, so that nothing has to run first. A role that selects itself, directly or through others, adds nothing.
   */
  function rulesOfClusterRole(role: ApiObject, above: ReadonlySet<ApiObject>): readonly PolicyRule[] {
    const selectors = selectorsOf(role);
    if (selectors === undefined) return rulesIn(role);
    const path = new Set([...above, role]);
    return read
      .list(clusterRoles)
      .filter((other) => !path.has(other))
      .filter((other) => selectors.some((selector) => matchesSelector(selector, other.metadata.labels)))
      .flatMap((other) => rulesOfClusterRole(other, path));
  }

  function lookUp({ kind, name }: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    const storage = kind === 'Role' ? roles : clusterRoles;
    const role = read.get({ storage, namespace: kind === 'Role' ? namespace : '', name });
    if (role === undefined) return undefined;
    return kind === 'Role' ? rulesIn(role) : rulesOfClusterRole(role, new Set());
  }

  function rulesOfRole(reference: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    refresh();
    if (reference.kind !== 'Role' && reference.kind !== 'ClusterRole') return undefined;
    const key = reference.kind === 'Role' ? `${namespace}/${reference.name}` : reference.name;
    if (!resolved.has(key)) resolved.set(key, lookUp(reference, namespace));
    return resolved.get(key);
  }

  function resolve(user: User, namespace: string): Grants {
    const grants: Grant[] = [];
    const errors: string[] = [];
    for (const home of namespace === '' ? [''] : ['', namespace]) {
      for (const binding of bindingsIn(home)) {
        const subject = binding.subjects.find((candidate) => isSubject(user, candidate, home));
        if (subject === undefined) continue;
        const rules = rulesOfRole(binding.reference, home);
        const source = () => describe(binding, subject);
        if (rules !== undefined) grants.push(...rules.map((rule) => ({ rule, source })));
        else errors.push(missing(binding.reference));
      }
    }
    return { grants, errors };
  }

  return {
    grantsFor(user, namespace) {
      refresh();
      const key = JSON.stringify([namespace, user.name, user.groups]);
      const known = granted.get(key);
      if (known !== undefined) return known;
      const found = resolve(user, namespace);
      granted.set(key, found);
      return found;
    },
    rulesOfRole,
    stop: unsubscribe,
  };
}
