import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StagecoachFunction } from '../../shared/runtime/define-function.ts';
import type { StagecoachSchedule } from '../../shared/runtime/define-schedule.ts';
import type { StagecoachWebhook } from '../../shared/runtime/define-webhook.ts';
import type { StagecoachPage } from '../../shared/runtime/page/define-page.ts';
import type { MapEntry } from '../map.ts';

type Door = StagecoachFunction | StagecoachSchedule | StagecoachWebhook | StagecoachPage;

/** Imports a function by the handler the map names, `functions/bind-claim/index.bindClaim`, relative to the project. */
export async function loadFunction(entry: MapEntry, root: string): Promise<Door> {
  const [, file = '', exported = ''] = /^(.+)\.(\w+)$/.exec(entry.handler) ?? [];
  const module = (await import(pathToFileURL(resolve(root, `${file}.ts`)).href)) as Record<string, Door | undefined>;
  const door = module[exported];
  if (door === undefined || door.name !== entry.name)
    throw new Error(`${file}.ts does not export the function ${entry.name} as ${exported}`);
  return door;
}

export interface Doors {
  readonly functions: ReadonlyMap<string, StagecoachFunction>;
  readonly webhooks: ReadonlyMap<string, StagecoachWebhook>;
  readonly schedules: readonly { readonly entry: MapEntry; readonly door: StagecoachSchedule }[];
}

export async function loadFunctions(entries: readonly MapEntry[], root: string): Promise<Doors> {
  const doors = await Promise.all(entries.map(async (entry) => ({ entry, door: await loadFunction(entry, root) })));
  return {
    functions: new Map(
      doors.flatMap(({ entry, door }) => ('handle' in door && 'rehearse' in door ? [[entry.name, door] as const] : [])),
    ),
    webhooks: new Map(
      doors.flatMap(({ entry, door }) =>
        'handle' in door && !('rehearse' in door) ? [[entry.name, door] as const] : [],
      ),
    ),
    schedules: doors.flatMap(({ entry, door }) => ('tick' in door ? [{ entry, door }] : [])),
  };
}
