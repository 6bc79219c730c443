import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { foreignKinds, ourKinds } from '../../../shared/contracts/kubernetes/catalogue.ts';
import type { Kind } from '../../../shared/contracts/kubernetes/kind.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

const folder = new URL('./examples/', import.meta.url);

/** Every YAML example of the design documents, by file name: `<document>-<number>-<kind>.yaml`. */
export const examples: ReadonlyMap<string, Manifest> = new Map(
  readdirSync(folder)
    .sort()
    .map((file) => [file, parse(readFileSync(new URL(file, folder), 'utf8')) as Manifest]),
);

export function example(file: string): Manifest {
  const found = examples.get(file);
  if (found === undefined) throw new Error(`There is no example ${file}.`);
  return found;
}

export function kindOf({ apiVersion, kind }: Manifest): Kind | undefined {
  return [...ourKinds, ...foreignKinds].find(
    (known) => `${known.group}/${known.version}` === apiVersion && known.kind === kind,
  );
}

/** The sentences with which a contract refuses a value. */
export function refusals(schema: Kind['Schema'], value: unknown): string[] {
  return schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
}
