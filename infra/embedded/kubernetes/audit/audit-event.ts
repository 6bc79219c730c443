import { userInfo } from '../auth/reviews.ts';
import { preciseInstant } from '../clock.ts';
import type { RequestAttributes } from '../request-attributes.ts';
import type { Status } from '../status-error.ts';
import type { User } from '../user.ts';
import type { AuditDecision, AuditStage } from './audit-policy.ts';

/** An event of audit.k8s.io/v1. */
export type AuditEvent = Readonly<Record<string, unknown>>;

export interface AuditEventList {
  readonly kind: 'EventList';
  readonly apiVersion: 'audit.k8s.io/v1';
  readonly metadata: Record<string, never>;
  readonly items: readonly AuditEvent[];
}

/** A request as it came in. */
export interface AuditedRequest {
  /** Of the user who was authenticated, not of the one who is impersonated. */
  readonly attributes: RequestAttributes;
  readonly requestURI: string;
  readonly userAgent: string;
  readonly sourceIPs: readonly string[];
  readonly auditID: string;
  /** Milliseconds. */
  readonly receivedAt: number;
  readonly impersonatedUser?: User;
}

/** What became of it. Objects are taken as they are and must not be changed afterwards. */
export interface AuditedOutcome {
  readonly code: number;
  /** Where the answer is a Status. */
  readonly status?: Status;
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The body of a create or update says of the object what the path does not; that of a patch is not the object. */
function objectReference({ attributes }: AuditedRequest, requestObject: unknown): Fields | undefined {
  if (!attributes.isResourceRequest) return undefined;
  const { resource, group, version, subresource, verb } = attributes;
  const isWhole = verb === 'create' || verb === 'update';
  const metadata = (isWhole ? fields(fields(requestObject)?.['metadata']) : undefined) ?? {};
  const namespace = attributes.namespace || text(metadata['namespace']);
  const name = attributes.name || text(metadata['name']);
  const uid = text(metadata['uid']);
  const resourceVersion = text(metadata['resourceVersion']);
  return {
    resource,
    ...(namespace === '' ? {} : { namespace }),
    ...(name === '' ? {} : { name }),
    ...(uid === '' ? {} : { uid }),
    ...(group === '' ? {} : { apiGroup: group }),
    apiVersion: version,
    ...(resourceVersion === '' ? {} : { resourceVersion }),
    ...(subresource === '' ? {} : { subresource }),
  };
}

/** Without metadata.managedFields, of an object or of every item of a list; the rest is shared. */
function withoutManagedFields(value: unknown): unknown {
  const object = fields(value);
  if (object === undefined) return value;
  const metadata = fields(object['metadata']);
  const slim =
    metadata?.['managedFields'] === undefined
      ? object
      : {
          ...object,
          metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== 'managedFields')),
        };
  return Array.isArray(slim['items']) ? { ...slim, items: slim['items'].map(withoutManagedFields) } : slim;
}

function responseStatus({ code, status }: AuditedOutcome): Fields {
  if (status === undefined) return { metadata: {}, code };
  const { kind: _kind, apiVersion: _version, metadata, ...said } = status;
  return { metadata, ...said, code };
}

/** The answer as it was sent: a success is told without its code. */
function sentStatus(status: Status): Fields {
  const { code, ...rest } = status;
  return status.status === 'Success' ? rest : { ...rest, code };
}

/** What is larger goes without its bodies, as kube-apiserver sends it when it truncates: a reader looks for itself. */
const LargestEventBytes = 102_400;

/** An event that fits, or what is left of it. */
export function truncated(event: AuditEvent): AuditEvent {
  if (event['requestObject'] === undefined && event['responseObject'] === undefined) return event;
  if (Buffer.byteLength(JSON.stringify(event)) <= LargestEventBytes) return event;
  const { requestObject: _request, responseObject: _response, ...rest } = event;
  const annotations = { 'audit.k8s.io/truncated': 'true', ...(event['annotations'] as object | undefined) };
  return { ...rest, annotations } as AuditEvent;
}

export function auditEvent(
  request: AuditedRequest,
  decision: AuditDecision,
  stage: AuditStage,
  at: number,
  outcome: AuditedOutcome | undefined,
  annotations: Readonly<Record<string, string>>,
): AuditEvent {
  const { level, omitManagedFields } = decision;
  const clean = omitManagedFields ? withoutManagedFields : (value: unknown) => value;
  const hasRequest = level === 'Request' || level === 'RequestResponse';
  const answer = outcome?.status === undefined ? outcome?.responseObject : sentStatus(outcome.status);
  const reference = objectReference(request, outcome?.requestObject);
  return {
    level,
    auditID: request.auditID,
    stage,
    requestURI: request.requestURI,
    verb: request.attributes.verb,
    user: userInfo(request.attributes.user),
    ...(request.impersonatedUser === undefined ? {} : { impersonatedUser: userInfo(request.impersonatedUser) }),
    ...(request.sourceIPs.length === 0 ? {} : { sourceIPs: request.sourceIPs }),
    ...(request.userAgent === '' ? {} : { userAgent: request.userAgent }),
    ...(reference === undefined ? {} : { objectRef: reference }),
    ...(outcome === undefined ? {} : { responseStatus: responseStatus(outcome) }),
    ...(hasRequest && outcome?.requestObject !== undefined ? { requestObject: clean(outcome.requestObject) } : {}),
    ...(level === 'RequestResponse' && answer !== undefined ? { responseObject: clean(answer) } : {}),
    requestReceivedTimestamp: preciseInstant(request.receivedAt),
    stageTimestamp: preciseInstant(at),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}
