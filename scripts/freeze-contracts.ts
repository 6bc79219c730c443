import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { catalog } from '../shared/contracts/catalog.ts';
import { type Contract, Envelope } from '../shared/contracts/envelope.ts';

export const frozenFolder = fileURLToPath(new URL('../test/contracts/frozen/', import.meta.url));

/** Every published shape, by the name of the file it is frozen in. */
export function renderContracts(contracts: readonly Contract[] = catalog): Map<string, string> {
  return new Map([
    ['envelope.v1.json', render(Envelope)],
    ...contracts.map(({ type, Data }) => [`${type}.json`, render(Data)] as const),
  ]);
}

function render(schema: z.ZodType): string {
  return `${JSON.stringify(z.toJSONSchema(schema), null, 2)}\n`;
}

export interface Thaw {
  /** Published by the code, and not frozen yet. */
  readonly missing: string[];
  /** Frozen, and different in the code: readers and messages of the old shape are still out there. */
  readonly changed: string[];
}

/** Compares the contracts with what was frozen. */
export function compareContracts(contracts: ReadonlyMap<string, string>, folder: string = frozenFolder): Thaw {
  const files = [...contracts.keys()];
  const missing = files.filter((file) => !existsSync(join(folder, file)));
  const changed = files.filter(
    (file) => !missing.includes(file) && readFileSync(join(folder, file), 'utf8') !== contracts.get(file),
  );
  return { missing, changed };
}

/** Freezes what is new and returns its files. A frozen contract is never written over. */
export function freezeContracts(contracts: ReadonlyMap<string, string>, folder: string = frozenFolder): string[] {
  const { missing, changed } = compareContracts(contracts, folder);
  if (changed.length > 0) throw new Error(changed.map(sayChanged).join('\n'));
  mkdirSync(folder, { recursive: true });
  for (const file of missing) writeFileSync(join(folder, file), contracts.get(file) ?? '');
  return missing;
}

export function sayChanged(file: string): string {
  return `${file} is frozen and the code says something else. Put the contract back as it was, and add the new shape beside it as the next version.`;
}
