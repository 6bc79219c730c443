import { z } from 'zod';

/** What HyperShift says of its objects. Its sentences are not read: they are for the provider's eyes. */
export const conditions = z
  .array(
    z
      .object({ type: z.string(), status: z.string().default('Unknown'), reason: z.string().default('') })
      .transform(({ type, status, reason }) => ({ type, status, reason })),
  )
  .nullish()
  .transform((value) => value ?? []);
