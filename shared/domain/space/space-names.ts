import { withSuffix } from '../core/object-name.ts';

/** The account that opens a provisioned namespace, and what belongs to it. */
export const spaceNames = {
  account: 'namespace-manager',
  role: 'namespace-manager',
  binding: 'namespace-manager',
  token: 'namespace-manager-token',
  quota: 'wanted-resources',
} as const;

// Five letters of a UID are unique among the requests of one namespace for all practical purposes. Names belong to a
// whole cluster, though, and other people make namespaces too: then the name is longer, never shared.
const suffixLengths = [5, 8, 32];
const longestNamespace = 63;
const longestSecret = 253;

interface Request {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What the namespace for a request may be called, the best first. The same request always has the same names. */
export function placeNames({ namespace, uid }: Request): readonly string[] {
  return namesOf(namespace, uid, longestNamespace);
}

/** What the Secret with its kubeconfig may be called, the best first. */
export function kubeconfigNames({ name, uid }: Request): readonly string[] {
  return namesOf(name, uid, longestSecret);
}

function namesOf(stem: string, uid: string, longest: number): readonly string[] {
  const letters = uid.replaceAll('-', '');
  return suffixLengths.map((length) => withSuffix(stem, `-${letters.slice(0, length)}`, longest));
}
