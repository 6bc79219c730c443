import type { Context, Result } from './context.ts';
import { findEngine } from './engines-list.ts';
import { Exit, exits } from './exit.ts';
import { count } from './in-words.ts';
import type { Paint } from './paint.ts';

interface EnginesAccept {
  readonly id: string;
  readonly namespace: string;
  readonly accepts: boolean;
  readonly tenants: number;
  readonly changed: boolean;
}

/** Opens an Argo CD to new tenants, or closes it to them. Those that it has stay. */
export async function runEnginesAccept(
  context: Context,
  { id, accepts, why = '' }: { readonly id: string; readonly accepts: boolean; readonly why?: string | undefined },
): Promise<Result<EnginesAccept>> {
  const { instanceId, namespace, tenants, acceptsTenants } = await findEngine(context, id);
  const value = { id: instanceId, namespace, accepts, tenants, changed: acceptsTenants !== accepts };
  if (!value.changed) return { code: exits.ok, value };
  await context.approve(
    `Will let ${namespace} (${instanceId}) take ${accepts ? 'new tenants again' : 'no new tenants'}, as ${context.who}.`,
  );
  const done = await context.engines.setAccepting(instanceId, accepts, {
    who: context.who,
    action: accepts ? 'open-engine' : 'drain-engine',
    subject: `engines/${instanceId}`,
    tenant: '',
    details: { why, namespace },
    cause: context.newId(),
  });
  if (!done) throw new Exit(exits.notFound, `${instanceId} is gone.`);
  return { code: exits.ok, value };
}

export function renderEnginesAccept({ namespace, id, accepts, tenants, changed }: EnginesAccept, paint: Paint): string {
  const state = accepts ? paint.good('takes new tenants') : paint.wait('takes no new tenants');
  return `${namespace} (${id}) ${state}${changed ? '' : ', as before'}. It has ${count(tenants, 'tenant')}.`;
}
