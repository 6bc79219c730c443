import { z } from 'zod';
import { relations } from '../forwarded-events.ts';

// Audit events are other people's words about other people's objects. An event that lacks what we ask for tells us
// nothing, but a strange detail of one event must not cost us the rest of it: details that do not fit are left out.

const detail = z.string().optional().catch(undefined);

const details = z.object({ name: detail, kind: detail, uid: detail }).optional().catch(undefined);

const ObservedObject = z.object({
  apiVersion: detail,
  kind: detail,
  metadata: z
    .object({
      name: detail,
      namespace: detail,
      uid: detail,
      resourceVersion: detail,
      generation: z.int().optional().catch(undefined),
      deletionTimestamp: detail,
      ...relations,
    })
    .optional()
    .catch(undefined),
  spec: z.object({ application: detail }).optional().catch(undefined),
  status: z.unknown().optional(),
});

/** What an event carries of the object: the object, a Status with details, or a list with items. A patch is none of them. */
const Body = ObservedObject.extend({ details, items: z.array(ObservedObject).optional().catch(undefined) })
  .optional()
  .catch(undefined);

/** One thing that was asked of the API server. Only the stage ResponseComplete tells what came of it. */
export const AuditEvent = z.object({
  auditID: z.string().min(1),
  level: z.string(),
  stage: z.string(),
  verb: z.string(),
  /** It carries `dryRun=All` where nothing was stored. */
  requestURI: z.string().default(''),
  user: z
    .object({ username: detail, uid: detail, groups: z.array(z.string()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  /** Absent on a request that is about no object, such as the list of API groups. */
  objectRef: z
    .object({
      apiGroup: z.string().default(''),
      apiVersion: z.string().default(''),
      resource: z.string(),
      subresource: z.string().default(''),
      namespace: z.string().default(''),
      name: z.string().default(''),
      uid: detail,
      resourceVersion: detail,
    })
    .optional(),
  responseStatus: z
    .object({ code: z.int().optional().catch(undefined), reason: detail, details })
    .optional()
    .catch(undefined),
  requestObject: Body,
  responseObject: Body,
  requestReceivedTimestamp: detail,
  stageTimestamp: detail,
});
export type AuditEvent = z.infer<typeof AuditEvent>;

/** A batch of the audit webhook. One malformed event does not take the others with it: it is counted and named. */
export const AuditEventList = z
  .object({
    apiVersion: z.literal('audit.k8s.io/v1'),
    kind: z.literal('EventList'),
    items: z.array(z.unknown()).nullish(),
  })
  .transform(({ items }) => {
    const parsed = (items ?? []).map((item) => AuditEvent.safeParse(item));
    return {
      events: parsed.flatMap(({ data }) => (data === undefined ? [] : [data])),
      malformed: parsed.flatMap(({ error }, index) =>
        error === undefined ? [] : [{ index, problem: z.prettifyError(error) }],
      ),
    };
  });
export type AuditEventList = z.infer<typeof AuditEventList>;
