import { z } from 'zod';
import { Metadata } from './parts/metadata.ts';

// Kinds of Kubernetes itself, cut down to what we read and write.

const textsByKey = z
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
  data: textsByKey,
});
export type Secret = z.infer<typeof Secret>;

export const ServiceAccount = z.looseObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ServiceAccount'),
  metadata: Metadata,
});

/** The values of `hard` are amounts such as `2` or `512Mi`. */
export const ResourceQuota = z.looseObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ResourceQuota'),
  metadata: Metadata,
  spec: z.looseObject({ hard: textsByKey }).optional(),
});

export const ClusterRole = roleOf('ClusterRole');
export const Role = roleOf('Role');
export const ClusterRoleBinding = bindingOf('ClusterRoleBinding');
export const RoleBinding = bindingOf('RoleBinding');

function roleOf<const Kind extends string>(kind: Kind) {
  return z.looseObject({
    apiVersion: z.literal('rbac.authorization.k8s.io/v1'),
    kind: z.literal(kind),
    metadata: Metadata,
    // The API server answers null where there are none.
    rules: z
      .array(z.looseObject({}))
      .nullish()
      .transform((rules) => rules ?? []),
  });
}

function bindingOf<const Kind extends string>(kind: Kind) {
  return z.looseObject({
    apiVersion: z.literal('rbac.authorization.k8s.io/v1'),
    kind: z.literal(kind),
    metadata: Metadata,
    roleRef: z.looseObject({}),
    subjects: z.array(z.looseObject({})).default([]),
  });
}
