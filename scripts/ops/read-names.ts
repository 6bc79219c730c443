import { isNamespaceName, isObjectName } from '../../shared/domain/core/object-name.ts';
import type { ObjectKey } from '../../shared/ports/cluster.ts';
import { Exit, exits } from './exit.ts';

/** What an operator wrote for a namespace. */
export function readNamespace(text: string): string {
  if (isNamespaceName(text)) return text;
  throw new Exit(exits.wrongUsage, `"${text}" is no name of a namespace. Those there are: kubectl get namespaces.`);
}

/** What an operator wrote for an object of a namespace: `namespace/name`. */
export function readKey(what: string, text: string): ObjectKey {
  const [namespace = '', name = '', ...more] = text.split('/');
  if (isNamespaceName(namespace) && isObjectName(name) && more.length === 0) return { namespace, name };
  throw new Exit(exits.wrongUsage, `Name the ${what} as namespace/name; "${text}" is something else.`);
}

/** The beginning of a commit's id, as git writes it. Fewer digits than seven mean too many commits. */
export function readCommit(text: string): string {
  const digits = text.toLowerCase();
  if (/^[0-9a-f]{7,64}$/.test(digits)) return digits;
  throw new Exit(exits.wrongUsage, `"${text}" is no commit: write the hex digits of its id, the first 7 at least.`);
}
