import { z } from 'zod';

/** A message says what to look at, never what is true: the reader observes for itself. */
export interface Contract<Data extends z.ZodType = z.ZodType> {
  /** `noun.happened.vN`. Any change of the data is a new N. */
  readonly type: string;
  readonly Data: Data;
}

export function contract<Data extends z.ZodType>(type: string, Data: Data): Contract<Data> {
  return { type, Data };
}

const kubernetesName = z.string().min(1).max(253);

/** The data of a knock. Strict: an unknown field means that the sender is not one of ours. */
export const Subject = z.strictObject({
  namespace: z.string().max(63),
  name: kubernetesName,
  application: kubernetesName.optional(),
  /** A revision of the API server: whole, growing, compared as a number. It fits a bigint of Postgres. */
  version: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
});
export type Subject = z.infer<typeof Subject>;

const traceparent = z.string().regex(/^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/);
const id = z.string().min(1).max(128);

/** Our part of CloudEvents 1.0, with the extensions that tell where a message came from. */
export const Envelope = z.strictObject({
  specversion: z.literal('1.0'),
  id,
  source: z.string().min(1).max(200),
  type: z.string().min(1).max(100),
  subject: z.string().min(1).max(400).optional(),
  time: z.iso.datetime({ offset: true }),
  datacontenttype: z.literal('application/json').optional(),
  data: z.unknown(),
  traceparent: traceparent.optional(),
  /** The message whose step sent this one. */
  causationid: id.optional(),
  /** The story it belongs to: the first message of it. */
  correlationid: id.optional(),
  /** How often a step for this message has been tried before and put off. */
  attempt: z.coerce.number().int().min(0).max(1_000_000).optional(),
  /** "true" where a row of the knock table stands behind the message: no row any more, nothing left to do. */
  pending: z.enum(['true']).optional(),
});
export type Envelope = z.infer<typeof Envelope>;
