import { type Dispatcher, request } from 'undici';
import { openWatch, type Watching } from './api-watch.ts';

export interface ApiMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly generateName?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly Readonly<Record<string, unknown>>[];
  readonly managedFields?: readonly {
    readonly manager: string;
    readonly operation: string;
    readonly apiVersion: string;
    readonly subresource?: string;
    readonly time?: string;
    readonly fieldsType: string;
    readonly fieldsV1: Readonly<Record<string, unknown>>;
  }[];
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/**
 * What an API answers, as tests read it: an object, a list or a Status. The fields are typed as if they were all
 * there; one that is not reads as undefined, and the assertion on it says so.
 */
export interface ApiBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiMetadata;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>> | string;
  readonly data: Readonly<Record<string, string>>;
  readonly items: readonly ApiBody[];
  readonly message: string;
  readonly reason: string;
  readonly code: number;
  readonly details: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
  readonly [field: string]: unknown;
}

export interface Answer {
  readonly code: number;
  /** Parsed where it looks like JSON (some answers do not say so), else an empty object. */
  readonly body: ApiBody;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The texts of the Warning headers, unquoted. */
  readonly warnings: readonly string[];
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface RawRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly query?: Query | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** Raw HTTP against an API server. Refusals of the server are answers, never exceptions. */
export interface ApiClient {
  get(path: string, query?: Query, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  list(path: string, query?: Query): Promise<Answer>;
  create(path: string, body: unknown, query?: Query): Promise<Answer>;
  update(path: string, body: unknown, query?: Query): Promise<Answer>;
  /** An apply patch needs `fieldManager` in the query; it is JSON, which is YAML. */
  patch(path: string, type: PatchType, body: unknown, query?: Query): Promise<Answer>;
  /** Without options no body is sent. */
  delete(path: string, options?: Readonly<Record<string, unknown>>, query?: Query): Promise<Answer>;
  /** Answers when the server has begun to watch (or has refused: see `code` and `refusal`). */
  watch(path: string, query?: Query, settings?: WatchSettings): Promise<Watching>;
  request(raw: RawRequest): Promise<Answer>;
}

export interface WatchSettings {
  /** How long the whole watch may last before reading from it throws. */
  readonly deadlineMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const patchMediaTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

const requestTimeoutMs = 20_000;

function pathWith(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/** `token` undefined means anonymous. */
export function createApiClient(url: string, dispatcher: Dispatcher, token: string | undefined): ApiClient {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };

  async function send({ method, path, query, headers, body }: RawRequest): Promise<Answer> {
    const content = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const response = await request(url + pathWith(path, query), {
      method,
      dispatcher,
      headers: {
        accept: 'application/json',
        ...authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: content ? (body ?? null) : JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const text = await response.body.text();
    return {
      code: response.statusCode,
      body: text.startsWith('{') ? JSON.parse(text) : {},
      text,
      headers: response.headers,
      warnings: warningsOf(response.headers['warning']),
    };
  }

  return {
    request: send,
    get: (path, query, headers) => send({ method: 'GET', path, query, headers }),
    list: (path, query) => send({ method: 'GET', path, query }),
    create: (path, body, query) => send({ method: 'POST', path, query, body }),
    update: (path, body, query) => send({ method: 'PUT', path, query, body }),
    patch: (path, type, body, query) =>
      send({ method: 'PATCH', path, query, body, headers: { 'content-type': patchMediaTypes[type] } }),
    delete: (path, options, query) => send({ method: 'DELETE', path, query, body: options }),
    watch: (path, query, settings) =>
      openWatch({
        url: url + pathWith(path, { ...query, watch: true }),
        dispatcher,
        headers: { accept: 'application/json', ...authorization, ...settings?.headers },
        deadlineMs: settings?.deadlineMs ?? requestTimeoutMs,
      }),
  };
}

/** `299 - "text"` each, with quotes inside the text escaped. */
function warningsOf(header: string | string[] | undefined): string[] {
  const texts = [header ?? []]
    .flat()
    .join(', ')
    .matchAll(/299 \S+ ("(?:[^"\\]|\\.)*")/g);
  return [...texts].map(([, quoted]) => (quoted ?? '').slice(1, -1).replaceAll(/\\(.)/g, '$1'));
}
