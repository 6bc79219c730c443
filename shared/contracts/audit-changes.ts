import type { Change } from '../domain/core/interest.ts';
import { isRevision, relationsOf } from './forwarded-events.ts';
import type { AuditEvent } from './kubernetes/audit-event.ts';
import { foreignKinds, ourKinds } from './kubernetes/catalogue.ts';

/** Audit events name resources by their plural; interests name kinds. */
const kinds = new Map([...ourKinds, ...foreignKinds].map(({ group, plural, kind }) => [`${plural}.${group}`, kind]));
kinds.set('secrets.', 'Secret');

const changing = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** What an audit event says to have changed: nothing, one object, or all that a deletecollection named. */
export function changesOf(event: AuditEvent): Change[] {
  const { objectRef, responseObject, responseStatus, requestURI } = event;
  if (objectRef === undefined || event.stage !== 'ResponseComplete' || !changing.has(event.verb)) return [];
  if ((responseStatus?.code ?? 200) >= 400 || /[?&]dryRun=/.test(requestURI)) return [];
  const kind = kinds.get(`${objectRef.resource}.${objectRef.apiGroup}`);
  if (kind === undefined) return [];
  const { namespace, apiGroup: group } = objectRef;
  if (event.verb === 'deletecollection') {
    // The versions of its items are from before the deletion: they would be taken for seen.
    return (responseObject?.items ?? []).flatMap(({ metadata, spec }) =>
      metadata?.name === undefined
        ? []
        : [
            {
              group,
              kind,
              namespace: metadata.namespace ?? namespace,
              name: metadata.name,
              application: spec?.application,
              ...relationsOf(kind, metadata),
            },
          ],
    );
  }
  const name = objectRef.name || responseObject?.metadata?.name;
  // A Secret made by generateName is told without its name. The watch tells it with one.
  if (name === undefined || name === '') return [];
  const version = versionOf(event);
  return [
    {
      group,
      kind,
      namespace,
      name,
      application: responseObject?.spec?.application,
      ...relationsOf(kind, responseObject?.metadata ?? {}),
      ...(event.verb === 'create' &&
        responseObject !== undefined &&
        responseObject.status === undefined && { untouched: true }),
      ...(version !== undefined && { version }),
    },
  ];
}

/** The version that the request made. A deletion makes none that its answer could tell. */
function versionOf({ verb, responseObject }: AuditEvent): string | undefined {
  const metadata = responseObject?.metadata;
  if (verb === 'delete' || metadata?.deletionTimestamp !== undefined) return undefined;
  return isRevision(metadata?.resourceVersion) ? metadata.resourceVersion : undefined;
}
