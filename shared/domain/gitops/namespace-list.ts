import { isNamespaceName } from '../core/object-name.ts';

/** As rows and cluster Secrets hold a list: sorted, each once, joined with commas. The first invalid name is told instead. */
export function joinNamespaces(names: readonly string[]): { readonly joined: string } | { readonly invalid: string } {
  const invalid = names.find((name) => !isNamespaceName(name));
  if (invalid !== undefined) return { invalid };
  return { joined: [...new Set(names)].toSorted().join(',') };
}
