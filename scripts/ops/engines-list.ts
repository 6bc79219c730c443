import type { RegisteredEngine } from '../../shared/ports/engine-register.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import { columns } from './lay-out.ts';
import type { Paint } from './paint.ts';

export interface EnginesList {
  readonly engines: readonly RegisteredEngine[];
}

/** Every Argo CD that is registered, and what it carries. */
export async function runEnginesList({ engines }: Context): Promise<Result<EnginesList>> {
  return { code: exits.ok, value: { engines: await engines.list() } };
}

export function renderEnginesList({ engines }: EnginesList, paint: Paint): string {
  if (engines.length === 0)
    return 'No Argo CD is registered yet. Those of the own cluster register themselves with their first tenant; others come with "engines add".';
  const titles = ['id', 'cluster', 'namespace', 'tenants', 'applications', 'transport', 'new tenants'];
  return columns([
    titles.map(paint.dim),
    ...engines.map((engine) => [
      engine.instanceId,
      engine.local ? 'own' : engine.host,
      engine.namespace,
      String(engine.tenants),
      String(engine.applications),
      engine.transport,
      engine.acceptsTenants ? paint.good('yes') : paint.wait('no, draining'),
    ]),
  ]).join('\n');
}

/** The engine of this id, or of the only id that begins so. */
export async function findEngine({ engines }: Context, id: string): Promise<RegisteredEngine> {
  const found = (await engines.list()).filter(({ instanceId }) => instanceId === id || instanceId.startsWith(id));
  const exact = found.find(({ instanceId }) => instanceId === id) ?? found[0];
  if (exact === undefined || id === '')
    throw new Exit(exits.notFound, `No Argo CD has the id ${id}. "engines list" shows them all.`);
  if (exact.instanceId !== id && found.length > 1)
    throw new Exit(exits.wrongUsage, `${found.length} ids begin with ${id}: write more of it.`);
  return exact;
}
