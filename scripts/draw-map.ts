import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MapEntry, readMap, type ServiceMap } from '../infra/map.ts';

const begin = '<!-- map:begin -->';
const end = '<!-- map:end -->';

/** The README of a project as it is, and as it would be with its map drawn now. One without markers wants no map. */
export function mapInReadme(root: string): { readonly text: string; readonly drawn: string } {
  const readme = join(root, 'README.md');
  const text = existsSync(readme) ? readFileSync(readme, 'utf8') : '';
  return { text, drawn: withMap(text, readMap(join(root, 'serverless.yml'))) ?? text };
}

/** The text with the map drawn between its markers, or undefined where it has no markers. */
export function withMap(text: string, map: ServiceMap): string | undefined {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) return undefined;
  return `${text.slice(0, from + begin.length)}\n\n${drawMap(map)}\n${text.slice(to)}`;
}

/** Draws what wakes whom: HTTP, schedules and queues on the left of each function, its messages on the right. */
export function drawMap({ functions, unclaimed }: ServiceMap): string {
  const lines = [
    ...functions.flatMap(drawDoor),
    ...functions.flatMap((entry) => drawMessages(entry, functions)),
    ...drawUnclaimed(functions, unclaimed),
  ];
  return ['```mermaid', 'flowchart LR', ...lines.map((line) => `  ${line}`), '```', ''].join('\n');
}

function drawDoor({ name, trigger, schedule = '', page }: MapEntry): string[] {
  const asked = page === undefined ? `POST /${name}` : `GET ${page}`;
  const doors = { http: `(["${asked}"])`, schedule: `{{"${schedule}"}}`, queue: `[("${name}")]` };
  return [`${idOf(name)}_door${doors[trigger]} --> ${idOf(name)}["${name}"]`];
}

/** An arrow from a function to each queue that its messages go to. */
function drawMessages({ name, emits }: MapEntry, functions: readonly MapEntry[]): string[] {
  return functions.flatMap(({ name: reader, consumes = [] }) => {
    const types = consumes.filter((type) => emits.includes(type));
    return types.length === 0 ? [] : [`${idOf(name)} -- "${types.join('<br/>')}" --> ${idOf(reader)}_door`];
  });
}

function drawUnclaimed(functions: readonly MapEntry[], unclaimed: readonly string[]): string[] {
  return functions.flatMap(({ name, emits }) => {
    const count = emits.filter((type) => unclaimed.includes(type)).length;
    return count === 0
      ? []
      : [`${idOf(name)} -. "${count} ${count === 1 ? 'type' : 'types'}" .-> unclaimed["consumed by nobody yet"]`];
  });
}

/** A dash is an operator of the diagram's language. */
function idOf(name: string): string {
  return name.replaceAll('-', '_');
}
