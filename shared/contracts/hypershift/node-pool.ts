import { z } from 'zod';
import type { ObjectKind } from '../kubernetes/kinds.ts';
import { Metadata } from '../kubernetes/parts/metadata.ts';
import { conditions } from './conditions.ts';

export const NodePool = z.looseObject({
  apiVersion: z.literal('hypershift.openshift.io/v1beta1'),
  kind: z.literal('NodePool'),
  metadata: Metadata,
  status: z
    .looseObject({
      /** The nodes that are there. */
      replicas: z
        .int()
        .nullish()
        .transform((value) => value ?? 0),
      conditions,
    })
    .optional(),
});
export type NodePool = z.infer<typeof NodePool>;

export const nodePools: ObjectKind<typeof NodePool> = {
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'NodePool',
  plural: 'nodepools',
  namespaced: true,
  Schema: NodePool,
};
