import { z } from 'zod';
import type { Change } from '../domain/core/interest.ts';
import { labels as keys } from './kubernetes/metadata-keys.ts';

/** What objects say of their relations to others. Anybody may write there: what does not fit is left out. */
export const relations = {
  labels: z.record(z.string(), z.string()).optional().catch(undefined),
  ownerReferences: z
    .array(z.object({ kind: z.string(), name: z.string(), controller: z.boolean().optional() }))
    .optional()
    .catch(undefined),
};
const Relations = z.object(relations);

/** One event of a watch, as the host's forwarder posts it: what we use of the object, and nothing else. */
const ForwardedEvent = z.object({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED']),
  object: z.object({
    apiVersion: z.string().min(1),
    kind: z.string().min(1),
    metadata: z.object({
      name: z.string().min(1).max(253),
      namespace: z.string().max(63).optional(),
      resourceVersion: z.string().optional(),
      ...relations,
    }),
    spec: z
      .object({ application: z.string().optional().catch(undefined) })
      .optional()
      .catch(undefined),
    status: z.unknown().optional(),
  }),
});
type ForwardedEvent = z.infer<typeof ForwardedEvent>;

/** A batch. Its events are parsed one by one: a malformed one does not cost the others their knock. */
export const ForwardedEvents = z.object({ source: z.literal('watch'), events: z.array(z.unknown()).max(1_000) });

/** The changes in a batch, and how many of its events were none. */
export function readForwarded(events: readonly unknown[]): { changes: Change[]; malformed: number } {
  const parsed = events.map((event) => ForwardedEvent.safeParse(event));
  const changes = parsed.flatMap(({ data }) => (data === undefined ? [] : [toChange(data)]));
  return { changes, malformed: parsed.length - changes.length };
}

function toChange({ type, object: { apiVersion, kind, metadata, spec, status } }: ForwardedEvent): Change {
  const [group = '', version] = apiVersion.split('/');
  return {
    // The core group has no name: its apiVersion is only a version.
    group: version === undefined ? '' : group,
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    version: isRevision(metadata.resourceVersion) ? metadata.resourceVersion : undefined,
    application: spec?.application,
    ...relationsOf(kind, metadata),
    ...(type !== 'DELETED' && status === undefined && { untouched: true }),
  };
}

/** As much of it as decides who is woken. */
export function relationsOf(
  kind: string,
  { labels, ownerReferences }: z.infer<typeof Relations>,
): Pick<Change, 'labels' | 'owner' | 'application'> {
  if (kind === 'SpaceRequest') return { labels };
  if (kind !== 'GitOpsDeployment') return {};
  const owner = ownerReferences?.find(({ controller }) => controller === true);
  return owner === undefined ? {} : { owner, application: labels?.[keys.deployedApplication] };
}

/** A resource version we can compare. Any other is no version to us, and its knock always leads to a look. */
export function isRevision(version: string | undefined): version is string {
  return version !== undefined && /^\d{1,18}$/.test(version);
}
