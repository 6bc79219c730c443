import type { z } from 'zod';
import type { ObjectKind, ObjectOf } from '../contracts/kubernetes/kinds.ts';
import { labels } from '../contracts/kubernetes/metadata-keys.ts';
import { fitsLabel } from '../domain/core/object-name.ts';
import type { Cluster, ListOptions } from '../ports/cluster.ts';
import { listAll } from './list-all.ts';

type OfApplication = z.ZodType<{ readonly spec: { readonly application: string } }>;

/** Those of an application: by the label that they should have, and those that have none yet. */
export async function listOfApplication<Schema extends OfApplication>(
  cluster: Cluster,
  kind: ObjectKind<Schema>,
  application: string,
  options: ListOptions,
): Promise<readonly ObjectOf<Schema>[]> {
  const selectors = fitsLabel(application)
    ? [`${labels.application}=${application}`, `!${labels.application}`]
    : [undefined];
  const found = await Promise.all(
    selectors.map((labelSelector) => listAll(cluster, kind, { ...options, labelSelector })),
  );
  return found.flat().filter(({ spec }) => spec.application === application);
}
