import { z } from 'zod';
import { Metadata } from './metadata.ts';

interface Shape<ApiVersion extends string, Kind extends string, Spec extends z.ZodType, Status extends z.ZodType> {
  readonly apiVersion: ApiVersion;
  readonly kind: Kind;
  readonly description: string;
  readonly spec: Spec;
  readonly status: Status;
}

/**
 * An object of one kind. Parsing gives the canonical spelling of every field and tolerates what it does not know:
 * the API server has pruned and checked the object against the same schema before it was stored.
 */
export function resource<
  const ApiVersion extends string,
  const Kind extends string,
  Spec extends z.ZodType,
  Status extends z.ZodType,
>({ apiVersion, kind, description, spec, status }: Shape<ApiVersion, Kind, Spec, Status>) {
  return z
    .object({
      apiVersion: z.literal(apiVersion),
      kind: z.literal(kind),
      metadata: Metadata,
      spec,
      status: status.optional(),
    })
    .describe(description);
}

/** Any of the schemas that `resource` makes. */
export type ResourceSchema = ReturnType<typeof resource<string, string, z.ZodType, z.ZodType>>;
