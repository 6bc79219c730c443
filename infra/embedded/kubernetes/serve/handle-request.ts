import { randomUUID } from 'node:crypto';
import { AdmissionDenied } from '../admission/denial.ts';
import { warningHeader } from '../admission/warning-header.ts';
import type { Audit, AuditRecord } from '../audit/create-audit.ts';
import type { Authenticator } from '../auth/authenticate.ts';
import type { Authorizer } from '../auth/authorize.ts';
import { createImpersonator } from '../auth/impersonate.ts';
import type { Reviews } from '../auth/reviews.ts';
import type { createDiscovery } from '../discovery/answer-discovery.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import type { Machinery } from '../operations/machinery.ts';
import { selectedName } from '../operations/selectors.ts';
import type { RequestAttributes } from '../request-attributes.ts';
import { notSupported, type Status, StatusError } from '../status-error.ts';
import { decodeProtobuf, protobufType } from './decode-protobuf.ts';
import type { ApiAnswer, ApiRequest } from './exchange.ts';
import { negotiate } from './negotiate.ts';
import { type Rendering, renderList, renderObject } from './render.ts';
import { readPath, verbOf } from './request-path.ts';
import { type Served, serveResource } from './serve-resource.ts';
import { streamWatch } from './stream-watch.ts';

interface FrontOptions {
  readonly machinery: Machinery;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly reviews: Reviews;
  readonly discovery: ReturnType<typeof createDiscovery>;
  readonly audit: Audit | undefined;
  readonly log: (line: string) => void;
}

/** What is learnt of a request on its way, for the answer and for the audit. */
interface Notes {
  readonly warnings: string[];
  requestObject?: unknown;
}

const healthPaths = new Set(['/healthz', '/livez', '/readyz']);

/** The door: who asks, what for, may they, and then the answer in the form they want; the audit hears of it. */
export function createFront(options: FrontOptions): (request: ApiRequest) => Promise<ApiAnswer> {
  const { machinery, authenticator, authorizer, reviews, discovery, audit } = options;
  const impersonator = createImpersonator(authorizer);
  return async (request) => {
    const auditID = request.headers['audit-id']?.[0] ?? randomUUID();
    const notes: Notes = { warnings: [] };
    const answer = await answerOf(request, auditID, notes);
    const warning = notes.warnings.flatMap((said) => warningHeader(said) ?? []);
    return {
      ...answer,
      headers: {
        'audit-id': auditID,
        'cache-control': 'no-cache, private',
        ...(warning.length === 0 ? {} : { warning }),
        ...answer.headers,
      },
    };
  };

  async function answerOf(request: ApiRequest, auditID: string, notes: Notes): Promise<ApiAnswer> {
    let record: AuditRecord | undefined;
    try {
      const url = new URL(request.url, 'https://embedded');
      const path = readPath(url.pathname);
      const verb = verbOf(request.method, path, url.searchParams);
      const user = authenticator.authenticate(request.headers['authorization']?.[0]);
      // Who asks for a list of one name needs the right to that name only.
      const name =
        path.name === '' && verb !== 'create' ? (selectedName(url.searchParams.get('fieldSelector')) ?? '') : path.name;
      const asked: RequestAttributes = { user, verb, path: url.pathname, ...path, name };
      record = audit?.begin({
        attributes: asked,
        requestURI: request.url,
        userAgent: request.headers['user-agent']?.[0] ?? '',
        sourceIPs: [request.sourceIP],
        auditID,
        receivedAt: machinery.clock.now(),
      });
      const actsAs = impersonator.impersonate(asked, request.headers);
      if (actsAs !== undefined) record?.impersonates(actsAs.user);
      const attributes = { ...asked, user: actsAs?.user ?? user };
      authorizer.check(attributes, record);
      if (path.isResourceRequest) return await answerResource(request, attributes, url.searchParams, record, notes);
      const answer = answerPath(request, url.pathname);
      record?.complete({ code: answer.code });
      return answer;
    } catch (error) {
      if (error instanceof AdmissionDenied) notes.warnings.push(...error.warnings);
      const status = statusOf(error);
      record?.complete({ code: status.code, status, ...requestOf(notes) });
      return asAnswer(status);
    }
  }

  function answerPath(request: ApiRequest, path: string): ApiAnswer {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new StatusError(
        405,
        'MethodNotAllowed',
        'the server does not allow this method on the requested resource',
        {},
      );
    }
    if (healthPaths.has(path) || [...healthPaths].some((one) => path.startsWith(`${one}/`))) return text(200, 'ok');
    const found = discovery.answer({
      path,
      accept: request.headers['accept']?.[0] ?? '',
      ...(request.headers['if-none-match']?.[0] === undefined
        ? {}
        : { ifNoneMatch: request.headers['if-none-match'][0] }),
    });
    if (found !== undefined) return { code: found.status, headers: found.headers, body: found.body };
    return text(404, '404 page not found\n');
  }

  async function answerResource(
    request: ApiRequest,
    attributes: RequestAttributes,
    query: URLSearchParams,
    record: AuditRecord | undefined,
    notes: Notes,
  ): Promise<ApiAnswer> {
    const { group, version, resource } = attributes;
    const kind = machinery.kinds.find(group, version, resource);
    if (kind === undefined || isElsewhere(kind, attributes)) {
      if (resource === 'watch') throw notSupported('the old path of watches, below /watch/,');
      if (!machinery.kinds.isBuiltIn(group, version)) {
        record?.complete({ code: 404 });
        return text(404, '404 page not found\n');
      }
      throw new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
    }
    const accepted = negotiate(request.headers['accept']?.[0]);
    const contentType = request.headers['content-type']?.[0] ?? '';
    const isProtobuf = contentType.startsWith(protobufType) && !kind.isCustom;
    const served = await serveResource(machinery, reviews, {
      attributes,
      kind,
      query,
      contentType: isProtobuf ? 'application/json' : contentType,
      userAgent: request.headers['user-agent']?.[0],
      body: async () => {
        const body = await request.body();
        return isProtobuf && body.length > 0 ? decodeProtobuf(body) : body.toString('utf8');
      },
      warnings: notes.warnings,
      understood: (requestObject) => {
        notes.requestObject = requestObject;
      },
    });
    const includeObject = (query.get('includeObject') || 'Metadata') as Rendering['includeObject'];
    const rendering: Rendering = { kind, accepted, includeObject, now: machinery.clock.now() };
    const headers = { 'content-type': accepted.contentType };
    if ('watch' in served.result) return streamWatch(machinery, served.call, query, rendering, headers, record);
    const { result, code } = served;
    for (const [key, value] of Object.entries(served.call.annotations)) record?.annotate(key, value);
    const body = bodyOf(result, rendering);
    record?.complete({
      code,
      ...requestOf(notes),
      ...('object' in result ? { responseObject: result.object } : {}),
      ...('status' in result ? { status: result.status } : {}),
      ...('list' in result && record.level === 'RequestResponse' ? { responseObject: JSON.parse(body) as object } : {}),
    });
    return { code, headers, body };
  }

  function statusOf(error: unknown): Status {
    if (error instanceof StatusError) return error.status;
    options.log(
      `a request failed in the server itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return new StatusError(
      500,
      'InternalError',
      'Internal error occurred: the embedded API server has a defect; its log says more',
    ).status;
  }
}

/** A success is told without its code, as the API does. */
function withoutCode({ code: _, ...status }: Status): object {
  return status;
}

function bodyOf(result: Exclude<Served['result'], { readonly watch: true }>, rendering: Rendering): string {
  if ('status' in result) return JSON.stringify(withoutCode(result.status));
  return 'list' in result ? renderList(result.list, rendering) : renderObject(result.object, rendering);
}

function requestOf({ requestObject }: Notes): { requestObject?: unknown } {
  return requestObject === undefined ? {} : { requestObject };
}

/** A path with a namespace to a kind that has none, or to one object of a kind that has one without it. */
function isElsewhere(kind: ServedKind, { namespace, name, verb }: RequestAttributes): boolean {
  if (!kind.namespaced) return namespace !== '' && kind.plural !== 'namespaces';
  return namespace === '' && name !== '' && !['list', 'watch', 'deletecollection', 'create'].includes(verb);
}

function text(code: number, body: string): ApiAnswer {
  return { code, headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }, body };
}

function asAnswer(status: Status): ApiAnswer {
  const after = status.details?.retryAfterSeconds;
  return {
    code: status.code,
    headers: { 'content-type': 'application/json', ...(after === undefined ? {} : { 'retry-after': String(after) }) },
    body: JSON.stringify(status),
  };
}
