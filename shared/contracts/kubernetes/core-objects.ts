import { z } from 'zod';
import { Metadata } from './parts/metadata.ts';

// Kinds of Kubernetes itself, cut down to what we read and write.

const bytesByKey = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});

export const Namespace = z.looseObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Namespace'),
  metadata: Metadata,
});
export type Namespace = z.infer<typeof Namespace>;

/** The values of `data` are in base64. */
export const Secret = z.looseObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Secret'),
  metadata: Metadata,
  type: z.string().default('Opaque'),
  data: bytesByKey,
});
export type Secret = z.infer<typeof Secret>;

export const ServiceAccount = z.looseObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ServiceAccount'),
  metadata: Metadata,
});

export const ClusterRole = z.looseObject({
  apiVersion: z.literal('rbac.authorization.k8s.io/v1'),
  kind: z.literal('ClusterRole'),
  metadata: Metadata,
  // The API server answers null where there are none.
  rules: z
    .array(z.looseObject({}))
    .nullish()
    .transform((rules) => rules ?? []),
});

export const ClusterRoleBinding = z.looseObject({
  apiVersion: z.literal('rbac.authorization.k8s.io/v1'),
  kind: z.literal('ClusterRoleBinding'),
  metadata: Metadata,
  roleRef: z.looseObject({}),
  subjects: z.array(z.looseObject({})).default([]),
});
