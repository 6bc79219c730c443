import type { PlacedTenant } from '../../shared/ports/engine-register.ts';
import type { Context, Result } from './context.ts';
import { findEngine } from './engines-list.ts';
import { Exit, exits } from './exit.ts';
import { count } from './in-words.ts';
import { firstOf } from './lay-out.ts';
import type { Paint } from './paint.ts';

interface EnginesMove {
  readonly namespace: string;
  readonly from: string;
  readonly to: string;
}

/** Places a tenant on another Argo CD. Only one that has nothing beside the first: two would deploy the same things. */
export async function runEnginesMove(
  context: Context,
  { namespace, id, why = '' }: { readonly namespace: string; readonly id: string; readonly why?: string | undefined },
): Promise<Result<EnginesMove>> {
  const tenant = await findTenant(context, namespace);
  const engine = await findEngine(context, id);
  const value = { namespace: tenant.namespace, from: tenant.instanceId, to: engine.instanceId };
  if (value.from === value.to) return { code: exits.ok, value };
  const way = inTheWay(tenant);
  if (way.length > 0)
    throw new Exit(
      exits.failed,
      `${tenant.namespace} is not moved while it has anything beside its Argo CD:\n${way.map((line) => `  ${line}`).join('\n')}`,
    );
  if (!engine.acceptsTenants)
    throw new Exit(
      exits.failed,
      `${engine.namespace} takes no new tenants: "engines open ${engine.instanceId}" first.`,
    );
  const far = engine.local
    ? ''
    : '\nIt runs in another cluster: deployments into the own namespace will not reach it, only managed environments.';
  await context.approve(
    `Will move ${tenant.namespace} from ${value.from} to ${engine.namespace} (${value.to}), as ${context.who}.${far}`,
  );
  const moved = await context.engines.move(tenant, engine.instanceId, {
    who: context.who,
    action: 'move-tenant',
    subject: `${tenant.namespace}/${tenant.namespaceUid}`,
    tenant: tenant.namespace,
    details: { why, from: value.from, to: value.to },
    cause: context.newId(),
  });
  if (!moved)
    throw new Exit(exits.failed, `${tenant.namespace} got something beside its Argo CD just now: look and try again.`);
  return { code: exits.ok, value };
}

export function renderEnginesMove({ namespace, from, to }: EnginesMove, paint: Paint): string {
  return from === to ? `${namespace} is there already.` : `${paint.good('moved')}  ${namespace} from ${from} to ${to}`;
}

async function findTenant({ engines }: Context, namespace: string): Promise<PlacedTenant> {
  const [found, ...others] = await engines.tenants(namespace);
  if (found === undefined)
    throw new Exit(
      exits.notFound,
      `No tenant ${namespace} is placed on any Argo CD: it will be, with its first object.`,
    );
  if (others.length > 0)
    throw new Exit(
      exits.wrongUsage,
      `There were several namespaces ${namespace}: name the UID of one: ${[found, ...others].map(({ namespaceUid }) => namespaceUid).join(', ')}.`,
    );
  return found;
}

/** What must go first, one line for each kind. */
function inTheWay({ applications, credentials, environments, operations, hasProject }: PlacedTenant): string[] {
  const named = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${count(names.length, what)}: ${firstOf(names, 5).join(', ')}`];
  return [
    ...named('application', applications),
    ...named('repository credential', credentials),
    ...named('cluster Secret', environments),
    ...(operations === 0
      ? []
      : [`${count(operations, 'operation')} that ${operations === 1 ? 'has' : 'have'} not ended`]),
    ...(hasProject ? ['its project, which goes with the last of all these and of its managed environments'] : []),
  ];
}
