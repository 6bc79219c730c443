import { z } from 'zod';

// Programs written in Go send an explicit null for a time that is not set.
const serverSet = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const texts = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});

const OwnerReference = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z.boolean().optional(),
  blockOwnerDeletion: z.boolean().optional(),
});

/**
 * What every object carries. What the API server sets (uid, versions, times) is empty on an object that was never
 * stored; what we do not name is kept as it is. `deletionTimestamp` is there only while the object is being deleted.
 */
export const Metadata = z.looseObject({
  name: serverSet,
  namespace: serverSet,
  uid: serverSet,
  resourceVersion: serverSet,
  generation: z.int().default(0),
  creationTimestamp: serverSet,
  deletionTimestamp: z
    .string()
    .nullish()
    .transform((value) => value ?? undefined),
  labels: texts,
  annotations: texts,
  finalizers: z
    .array(z.string())
    .nullish()
    .transform((value) => value ?? []),
  ownerReferences: z
    .array(OwnerReference)
    .nullish()
    .transform((value) => value ?? []),
});
