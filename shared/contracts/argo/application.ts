import { z } from 'zod';
import { Metadata } from '../kubernetes/parts/metadata.ts';

// Argo CD's own kind, cut down to what we write and read. Everything else is kept as it is.

const text = z.string().default('');

const Source = z.looseObject({ repoURL: text, path: text, targetRevision: text });
const Destination = z.looseObject({ name: text, server: text, namespace: text });
const Health = z.looseObject({ status: text, message: text, lastTransitionTime: z.string().optional() });

const SyncPolicy = z.looseObject({
  automated: z
    .looseObject({
      prune: z.boolean().default(false),
      selfHeal: z.boolean().default(false),
      allowEmpty: z.boolean().default(false),
    })
    .optional(),
  syncOptions: z.array(z.string()).default([]),
  retry: z
    .looseObject({
      limit: z.int().optional(),
      backoff: z
        .looseObject({
          duration: z.string().optional(),
          factor: z.int().optional(),
          maxDuration: z.string().optional(),
        })
        .optional(),
    })
    .optional(),
});

const Operation = z.looseObject({
  sync: z.looseObject({ revision: text, prune: z.boolean().default(false) }).optional(),
  initiatedBy: z.looseObject({ username: text, automated: z.boolean().default(false) }).optional(),
});

const OperationState = z.looseObject({
  operation: Operation.optional(),
  phase: text,
  message: text,
  syncResult: z.looseObject({ revision: text }).optional(),
  startedAt: z.string().optional(),
  finishedAt: z.string().optional(),
  retryCount: z.int().optional(),
});

const ResourceStatus = z.looseObject({
  group: text,
  version: text,
  kind: text,
  namespace: text,
  name: text,
  status: text,
  health: Health.optional(),
});

const Status = z.looseObject({
  sync: z
    .looseObject({
      status: text,
      revision: text,
      comparedTo: z.looseObject({ source: Source.optional(), destination: Destination.optional() }).optional(),
    })
    .optional(),
  health: Health.optional(),
  resources: z.array(ResourceStatus).default([]),
  conditions: z
    .array(z.looseObject({ type: z.string(), message: text, lastTransitionTime: z.string().optional() }))
    .default([]),
  operationState: OperationState.optional(),
  history: z
    .array(z.looseObject({ id: z.int().optional(), revision: text, deployedAt: z.string().optional() }))
    .default([]),
  reconciledAt: z.string().optional(),
});

/** What one Argo CD should keep where, and what it says about it. */
export const ArgoApplication = z.looseObject({
  apiVersion: z.literal('argoproj.io/v1alpha1'),
  kind: z.literal('Application'),
  metadata: Metadata,
  spec: z.looseObject({
    source: Source.optional(),
    destination: Destination,
    project: text,
    syncPolicy: SyncPolicy.optional(),
  }),
  operation: Operation.optional(),
  status: Status.optional(),
});
export type ArgoApplication = z.infer<typeof ArgoApplication>;
