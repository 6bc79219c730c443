import { foreignKinds, ourKinds } from '../../shared/contracts/kubernetes/catalogue.ts';
import { type ObjectKind, secrets as secretKind } from '../../shared/contracts/kubernetes/kinds.ts';

/** A Kubernetes kind, as far as an operator names it. */
export interface NamedKind extends Omit<ObjectKind, 'namespaced'> {
  readonly scope: 'Namespaced' | 'Cluster';
}

const secrets = {
  ...secretKind,
  singular: 'secret',
  shortNames: [],
  scope: 'Namespaced' as const,
};

/** Ours first: where a short name is also somebody else's, ours is meant. `applications.argoproj.io` means the other. */
const known = [...ourKinds, ...foreignKinds, secrets];

/** Finds a kind by its name, plural or short name, as kubectl does; with `.group` behind it where it must be exact. */
export function findKind(word: string): NamedKind | undefined {
  const wanted = word.toLowerCase();
  return known.find(({ group, kind, plural, singular, shortNames }) => {
    const names = [kind.toLowerCase(), plural, singular, ...shortNames];
    return names.some((name) => wanted === name || (group !== '' && wanted === `${name}.${group}`));
  });
}
