import { namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Context } from './context.ts';
import { Exit, exits } from './exit.ts';

/** Tells an empty namespace from a name that was mistyped. */
export async function expectNamespace(context: Context, name: string): Promise<void> {
  if ((await context.world().clusters.local.read(namespaces, { namespace: '', name })) !== undefined) return;
  throw new Exit(exits.notFound, `There is no namespace ${name}. Is KUBECONFIG that of the right cluster?`);
}
