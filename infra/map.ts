import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { sections } from '../shared/runtime/config.ts';
import type { Route } from '../shared/runtime/machine.ts';

const verbs =
  'ingest|forward|admit|bind|provision|reclaim|reconcile|create|start|advance|render|run|apply|report|collect|serve';
export const functionName = z
  .string()
  .regex(
    new RegExp(`^(?:${verbs})(?:-[a-z]+)+$`),
    `A function is called verb-noun, with a verb of: ${verbs.replaceAll('|', ', ')}`,
  )
  .max(40);

const FrameworkFunction = z.looseObject({
  handler: z.string(),
  description: z.string().min(1),
  timeout: z.number().int().min(1).max(60),
  events: z.array(z.unknown()).min(1),
});

const Placed = z.strictObject({
  /** What users lose while this function is down. Becomes the text of its alarm. */
  impact: z.string().min(10),
  consumes: z.array(z.string()).min(1).optional(),
  emits: z.array(z.string()),
  /** The sections of the configuration it may see; its only secrets and permissions. */
  needs: z.array(z.enum(sections as [string, ...string[]])),
  /** The template of the key under which its steps run one at a time. */
  serial: z
    .string()
    .regex(/^[a-z-]+:(?:\{(?:namespace|name|application)\}|[/])+$/)
    .optional(),
  /** What counts as one tenant when turns are taken, where it is not the namespace: for work in a namespace that all share. */
  tenant: z
    .string()
    .regex(/^(?:\{(?:namespace|name|application)\}|[/])+$/)
    .optional(),
  maxReceiveCount: z.number().int().min(1).max(1_000).default(8),
  schedule: z.string().optional(),
  /** The path at and below which it shows people something, where it is a page. */
  page: z
    .string()
    .regex(/^\/[a-z-]+$/)
    .optional(),
});

const File = z.looseObject({
  service: z.string(),
  functions: z.record(functionName, FrameworkFunction),
  custom: z.strictObject({ map: z.record(functionName, Placed), unclaimed: z.array(z.string()) }),
});

export interface MapEntry extends z.infer<typeof Placed> {
  readonly name: string;
  readonly handler: string;
  readonly description: string;
  readonly timeout: number;
  /** What wakes it. */
  readonly trigger: 'http' | 'queue' | 'schedule';
}

export interface ServiceMap {
  readonly service: string;
  readonly functions: readonly MapEntry[];
  /** Types that are emitted and consumed by nobody yet. */
  readonly unclaimed: readonly string[];
}

export const mapFile = fileURLToPath(new URL('../serverless.yml', import.meta.url));

/** Reads and checks the map. Everyone who needs it asks here. */
export function readMap(file = mapFile): ServiceMap {
  const parsed = File.safeParse(parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is not a map:\n${z.prettifyError(parsed.error)}`);
  const { service, functions, custom } = parsed.data;
  const entries = Object.entries(functions).map(([name, { handler, description, timeout }]): MapEntry => {
    const placed = custom.map[name];
    if (placed === undefined)
      throw new Error(`${file}: ${name} has no entry under custom.map; write its impact, emits and needs there`);
    const trigger = placed.consumes !== undefined ? 'queue' : placed.schedule !== undefined ? 'schedule' : 'http';
    if (trigger === 'queue' && placed.serial === undefined)
      throw new Error(
        `${file}: ${name} consumes messages and has no serial key; say under what its work is one at a time, for example serial: "claim:{namespace}/{name}"`,
      );
    return { name, handler, description, timeout, trigger, ...placed };
  });
  const strays = Object.keys(custom.map).filter((name) => functions[name] === undefined);
  if (strays.length > 0) throw new Error(`${file}: custom.map names ${strays.join(', ')}, which functions does not`);
  return { service, functions: entries, unclaimed: custom.unclaimed };
}

/** The functions that a queue feeds, as steps need to know them. */
export function routesOf(map: ServiceMap): Route[] {
  return map.functions.flatMap(({ name, consumes, serial, tenant, timeout, maxReceiveCount }) =>
    consumes === undefined || serial === undefined
      ? []
      : [{ function: name, consumes, serial, tenant, timeoutSeconds: timeout, maxReceiveCount }],
  );
}
