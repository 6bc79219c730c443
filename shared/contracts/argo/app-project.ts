import { z } from 'zod';
import { Metadata } from '../kubernetes/parts/metadata.ts';

/** The fence around the Argo CD Applications of one tenant. The lists that we do not name are kept as they are. */
export const AppProject = z.looseObject({
  apiVersion: z.literal('argoproj.io/v1alpha1'),
  kind: z.literal('AppProject'),
  metadata: Metadata,
  spec: z.looseObject({
    sourceRepos: z.array(z.string()).default([]),
    destinations: z
      .array(
        z.looseObject({
          name: z.string().default(''),
          server: z.string().default(''),
          namespace: z.string().default(''),
        }),
      )
      .default([]),
  }),
});
export type AppProject = z.infer<typeof AppProject>;
