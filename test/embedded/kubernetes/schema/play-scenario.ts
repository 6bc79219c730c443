import type { Schema } from '../../../../infra/embedded/kubernetes/schema/schema.ts';

export type Values = Readonly<Record<string, unknown>>;

/** What is asked of a server, one after the other. Updates start from what the last successful step left. */
export type Step =
  | { readonly create: Values; readonly name?: string }
  /** Fields of the spec that change; null takes a field away. */
  | { readonly update: Values }
  | { readonly status: unknown }
  /** Another schema for the spec, under which the stored object may be wrong. */
  | { readonly schema: Schema };

export interface Scenario {
  readonly name: string;
  /** The schema of a whole object, or a file of infra/crds. */
  readonly schema: Schema | string;
  readonly steps: readonly Step[];
}

/** What a server said: the spec and status that it stored, or what was wrong, sorted. */
export type Answer = { readonly spec?: unknown; readonly status?: unknown } | { readonly errors: readonly string[] };

export interface StoredObject {
  readonly metadata: Values;
  readonly spec?: Values;
  readonly status?: unknown;
}

export type Outcome = { readonly stored: StoredObject } | { readonly errors: readonly string[] };

export interface Server {
  create(spec: Values, name: string): Promise<Outcome>;
  update(object: StoredObject): Promise<Outcome>;
  updateStatus(object: StoredObject): Promise<Outcome>;
  changeSchema(schema: Schema): Promise<void>;
}

export async function playScenario({ steps }: Scenario, server: Server): Promise<Answer[]> {
  const answers: Answer[] = [];
  let current: StoredObject = { metadata: {} };
  for (const step of steps) {
    if ('schema' in step) {
      await server.changeSchema(step.schema);
      continue;
    }
    const outcome = await take(step, current, server);
    if ('errors' in outcome) answers.push({ errors: [...outcome.errors].sort() });
    else {
      current = outcome.stored;
      const { spec, status } = current;
      answers.push({ ...(spec === undefined ? {} : { spec }), ...(status === undefined ? {} : { status }) });
    }
  }
  return answers;
}

function take(step: Exclude<Step, { schema: Schema }>, current: StoredObject, server: Server): Promise<Outcome> {
  if ('create' in step) return server.create(step.create, step.name ?? 'try');
  if ('status' in step) return server.updateStatus({ ...current, status: step.status });
  const fields = { ...current.spec, ...step.update };
  const spec = Object.fromEntries(Object.entries(fields).filter(([key]) => step.update[key] !== null));
  return server.update({ ...current, spec });
}

/** The schema of an object with this spec. */
export function objectWith(spec: Schema, status: Schema = { type: 'object' }, root: Partial<Schema> = {}): Schema {
  return { type: 'object', properties: { spec, status }, ...root };
}
