import type { z } from 'zod';
import type { ObjectKind, ObjectOf } from '../contracts/kubernetes/kinds.ts';
import { isObjectName } from '../domain/core/object-name.ts';
import type { Cluster } from '../ports/cluster.ts';
import { listAll } from './list-all.ts';

export type Named = z.ZodType<{ readonly metadata: { readonly name: string } }>;

/** A list of the newest state costs as much as this many reads beside each other. */
const few = 12;

/** Those of these names that are there, as they are now. */
export async function readNamed<Schema extends Named>(
  cluster: Pick<Cluster, 'read' | 'list'>,
  kind: ObjectKind<Schema>,
  namespace: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly ObjectOf<Schema>[]> {
  const wanted = [...new Set(names.filter(isObjectName))];
  if (wanted.length > few) {
    const all = await listAll(cluster, kind, { namespace, signal });
    return all.filter(({ metadata }) => wanted.includes(metadata.name));
  }
  const found = await Promise.all(wanted.map((name) => cluster.read(kind, { namespace, name }, { signal })));
  return found.filter((one) => one !== undefined);
}

/** A list that may lag, with what is there now in the place of these names. */
export async function freshened<Schema extends Named>(
  listing: Promise<readonly ObjectOf<Schema>[]>,
  cluster: Pick<Cluster, 'read' | 'list'>,
  kind: ObjectKind<Schema>,
  namespace: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly ObjectOf<Schema>[]> {
  const [listed, read] = await Promise.all([listing, readNamed(cluster, kind, namespace, names, signal)]);
  return [...listed.filter(({ metadata }) => !names.includes(metadata.name)), ...read];
}
