import { z } from 'zod';

const GroupVersionKind = z.object({ group: z.string(), version: z.string(), kind: z.string() });
const GroupVersionResource = z.object({ group: z.string(), version: z.string(), resource: z.string() });
const nothing = z
  .unknown()
  .optional()
  .transform((value) => value ?? undefined);

/** The question of the API server. The objects are left as they are: the contract of their kind parses them. */
export const AdmissionReview = z.object({
  apiVersion: z.literal('admission.k8s.io/v1'),
  kind: z.literal('AdmissionReview'),
  request: z.object({
    uid: z.string().min(1),
    kind: GroupVersionKind,
    resource: GroupVersionResource,
    subResource: z.string().default(''),
    name: z.string().default(''),
    namespace: z.string().default(''),
    operation: z.enum(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
    userInfo: z
      .object({
        username: z.string().default(''),
        uid: z.string().default(''),
        groups: z.array(z.string()).default([]),
      })
      .prefault({}),
    /** Null on DELETE. */
    object: nothing,
    /** Null on CREATE. */
    oldObject: nothing,
    dryRun: z.boolean().default(false),
  }),
});
export type AdmissionReview = z.infer<typeof AdmissionReview>;

/** The answer. Ours, so it is strict. */
export const AdmissionAnswer = z.strictObject({
  apiVersion: z.literal('admission.k8s.io/v1'),
  kind: z.literal('AdmissionReview'),
  response: z.strictObject({
    uid: z.string().min(1),
    allowed: z.boolean(),
    status: z.strictObject({ code: z.int(), reason: z.string().optional(), message: z.string() }).optional(),
    warnings: z.array(z.string()).optional(),
  }),
});
export type AdmissionAnswer = z.infer<typeof AdmissionAnswer>;
