import { environments, namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Context, Result } from './context.ts';
import { readyOf } from './environments-ready.ts';
import { Exit, exits } from './exit.ts';
import { columns, firstOf } from './lay-out.ts';
import type { Paint } from './paint.ts';

export interface EnvironmentsList {
  readonly environments: readonly ListedEnvironment[];
}

interface ListedEnvironment {
  readonly namespace: string;
  readonly name: string;
  readonly parent: string;
  readonly strategy: string;
  readonly claim: string;
  readonly tags: readonly string[];
  /** True, False or Unknown; empty where nobody has looked at it yet. */
  readonly targetReady: string;
  readonly reason: string;
  readonly message: string;
}

/** Every Environment, where it stands on the way, and whether it has a place to deploy to. Reads only. */
export async function runEnvironmentsList(
  context: Context,
  { namespace }: { readonly namespace?: string | undefined },
): Promise<Result<EnvironmentsList>> {
  const { local } = context.world().clusters;
  const found: ListedEnvironment[] = [];
  for await (const page of local.list(environments, { namespace })) {
    for (const environment of page) {
      const { metadata, spec } = environment;
      const { status, reason, message } = readyOf(environment);
      found.push({
        namespace: metadata.namespace,
        name: metadata.name,
        parent: spec.parentEnvironment,
        strategy: spec.deploymentStrategy,
        claim: spec.configuration?.target?.deploymentTargetClaim?.claimName ?? '',
        tags: spec.tags,
        targetReady: status,
        reason,
        message,
      });
    }
  }
  if (namespace !== undefined && found.length === 0) {
    if ((await local.read(namespaces, { namespace: '', name: namespace })) === undefined)
      throw new Exit(exits.notFound, `There is no namespace ${namespace}.`);
  }
  return { code: exits.ok, value: { environments: found } };
}

export function renderEnvironmentsList({ environments: found }: EnvironmentsList, limit: number, paint: Paint): string {
  if (found.length === 0)
    return 'There are no Environments. The first ones of a namespace come with npm run ops -- onboard <namespace>.';
  const titles = ['environment', 'parent', 'strategy', 'claim', 'tags', 'ready', 'why not'];
  const rows = columns([
    titles.map(paint.dim),
    ...found.map((one) => [
      `${one.namespace}/${one.name}`,
      one.parent || '-',
      one.strategy,
      one.claim || '-',
      one.tags.join(', ') || '-',
      one.targetReady === 'True' ? paint.good('yes') : paint.wait(one.targetReady === '' ? 'unseen' : 'no'),
      one.targetReady === 'True' || one.reason === '' ? '' : `${one.reason}: ${one.message}`,
    ]),
  ]);
  return firstOf(rows, limit + 1).join('\n');
}
