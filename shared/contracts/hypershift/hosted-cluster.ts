import { z } from 'zod';
import type { ObjectKind } from '../kubernetes/kinds.ts';
import { Metadata } from '../kubernetes/parts/metadata.ts';
import { conditions } from './conditions.ts';

// HyperShift's own kind, cut down to what we read. What we write of `spec` is made by the rules and checked by its CRD.

export const HostedCluster = z.looseObject({
  apiVersion: z.literal('hypershift.openshift.io/v1beta1'),
  kind: z.literal('HostedCluster'),
  metadata: Metadata,
  status: z
    .looseObject({
      /** The Secret beside it with the administrator's kubeconfig. */
      kubeconfig: z
        .looseObject({ name: z.string().default('') })
        .nullish()
        .transform((value) => value?.name ?? ''),
      conditions,
    })
    .optional(),
});
export type HostedCluster = z.infer<typeof HostedCluster>;

export const hostedClusters: ObjectKind<typeof HostedCluster> = {
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'HostedCluster',
  plural: 'hostedclusters',
  namespaced: true,
  Schema: HostedCluster,
};
