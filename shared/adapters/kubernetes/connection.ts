import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { Transient } from '../../ports/trouble.ts';
import { openCredentials, type TlsMaterial } from './open-credentials.ts';
import { type ClusterEntry, readKubeconfig, type UserEntry } from './read-kubeconfig.ts';
import { openTimeLimit } from './time-limit.ts';
import { type Asked, translateKubernetes, UnexpectedAnswer } from './translate-kubernetes.ts';

export interface ClusterSettings {
  /** A path, or a list of paths as in KUBECONFIG. */
  readonly kubeconfigPath?: string | undefined;
  /** A context of the kubeconfig; its current one unless named. */
  readonly context?: string | undefined;
  /** Inside a pod: the ServiceAccount that Kubernetes mounts. Give `server` as well where its DNS name does not resolve. */
  readonly inCluster?: boolean | undefined;
  /** Without a kubeconfig: the address, and a token where the server asks for one. */
  readonly server?: string | undefined;
  readonly token?: string | undefined;
  /** PEM, both: who asks, where the server knows people by their certificates. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string } | undefined;
  /** PEM; without it, the authorities that the machine trusts. */
  readonly certificateAuthority?: string | undefined;
  /** The certificate of the server is not checked. */
  readonly insecure?: boolean | undefined;
  /** An answer that is longer is not read: for a server that is not trusted. */
  readonly maxAnswerBytes?: number | undefined;
  readonly now: () => number;
}

interface RequestSettings {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Statuses beside success that the caller reads itself. Not found is one unless said otherwise: it is an observation, not an error. */
  readonly accept?: readonly number[] | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed where the server says that it is JSON. */
  readonly body: unknown;
}

interface StreamedAnswer {
  readonly status: number;
  /** The bytes as they come. Leaving the loop closes the connection. Breaks with trouble where the connection breaks. */
  readonly chunks: AsyncIterable<Buffer>;
}

export interface ClusterConnection {
  readonly server: string;
  /** PEM that the server's certificate is checked against. Undefined: the authorities that the machine trusts. */
  certificateAuthority(): Promise<string | undefined>;
  /** Answers with any success and with the statuses of `accept`; throws trouble for all else. */
  request(path: string, settings?: RequestSettings): Promise<Answer>;
  /** Answers when the headers are there; from then on only `signal` ends it. */
  stream(
    path: string,
    settings?: Pick<RequestSettings, 'headers' | 'signal' | 'timeoutMs' | 'accept'>,
  ): Promise<StreamedAnswer>;
  close(): Promise<void>;
}

const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';
// The API server's certificate is valid for this name on every cluster, so nothing has to be read from the environment.
const inClusterServer = 'https://kubernetes.default.svc';

const requestTimeoutMs = 30_000;

export function connectCluster(settings: ClusterSettings): ClusterConnection {
  const { cluster, user } = readEntries(settings);
  const credentials = openCredentials(cluster, user, settings.now);
  // Some clusters stand behind a proxy under a path of its own.
  const { origin, pathname } = new URL(cluster.server);
  const base = pathname.replace(/\/$/, '');
  let open: { tls: TlsMaterial; requests: Dispatcher; streams: Dispatcher } | undefined;

  /** One set of connections for this cluster and user, made anew only when a certificate was renewed. */
  function connections(tls: TlsMaterial) {
    if (open?.tls === tls) return open;
    // Running requests end in their own time; watches go on until they end by themselves.
    void open?.requests.close();
    void open?.streams.close();
    open = {
      tls,
      requests: openDispatcher(cluster, tls, 32, settings.maxAnswerBytes),
      streams: openDispatcher(cluster, tls, null),
    };
    return open;
  }

  async function send(
    path: string,
    asked: Asked,
    settings: RequestSettings,
    signal: AbortSignal,
    through: 'requests' | 'streams',
  ) {
    const { headers, tls } = await credentials.current().catch((error: unknown) => {
      throw new Transient(
        'cluster',
        `There is no credential for ${cluster.server}: ${error instanceof Error ? error.message : error}`,
        { cause: error },
      );
    });
    const body =
      settings.body === undefined || typeof settings.body === 'string' ? settings.body : JSON.stringify(settings.body);
    return connections(tls)[through].request({
      origin,
      path: base + path,
      method: asked.method as Dispatcher.HttpMethod,
      headers: {
        accept: 'application/json',
        'user-agent': 'stagecoach',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...settings.headers,
      },
      body: body ?? null,
      signal,
    });
  }

  /** The other answers, as trouble. */
  async function check(answer: Dispatcher.ResponseData, accept: readonly number[]): Promise<void> {
    if (answer.statusCode < 300 && answer.statusCode >= 200) return;
    if (accept.includes(answer.statusCode)) return;
    if (answer.statusCode === 401) credentials.forget();
    throw new UnexpectedAnswer(answer.statusCode, await readBody(answer));
  }

  return {
    server: cluster.server,
    certificateAuthority: () => credentials.authority(),
    async request(path, settings = {}) {
      const asked = { method: settings.method ?? 'GET', path };
      const limit = openTimeLimit(settings.timeoutMs ?? requestTimeoutMs, settings.signal);
      try {
        const answer = await send(path, asked, settings, limit.signal, 'requests');
        await check(answer, settings.accept ?? [404]);
        return { status: answer.statusCode, headers: answer.headers, body: await readBody(answer) };
      } catch (error) {
        throw error instanceof Transient ? error : translateKubernetes(error, asked);
      } finally {
        limit.end();
      }
    },
    async stream(path, settings = {}) {
      const asked = { method: 'GET', path };
      const limit = openTimeLimit(settings.timeoutMs ?? requestTimeoutMs, settings.signal);
      try {
        const answer = await send(path, asked, settings, limit.signal, 'streams');
        await check(answer, settings.accept ?? [404]);
        // The limit was for the headers; the caller's signal stays.
        limit.stopClock();
        return { status: answer.statusCode, chunks: readChunks(answer, asked, limit.end) };
      } catch (error) {
        limit.end();
        throw error instanceof Transient ? error : translateKubernetes(error, asked);
      }
    },
    async close() {
      await Promise.all([open?.requests.destroy(), open?.streams.destroy()]);
    },
  };
}

function readEntries({ kubeconfigPath, context, inCluster, server, token, ...tls }: ClusterSettings): {
  cluster: ClusterEntry;
  user: UserEntry;
} {
  if (kubeconfigPath !== undefined) return readKubeconfig(kubeconfigPath, context);
  const user = { name: 'stagecoach', impersonation: {} };
  if (inCluster === true) {
    return {
      cluster: { server: server ?? inClusterServer, authority: { file: `${serviceAccount}/ca.crt` }, insecure: false },
      user: { ...user, token: { file: `${serviceAccount}/token` } },
    };
  }
  if (server === undefined)
    throw new Error('No cluster is configured: name a kubeconfig, or say that Stagecoach runs inside the cluster');
  return {
    cluster: {
      server: server.replace(/\/+$/, ''),
      insecure: tls.insecure ?? false,
      ...(tls.certificateAuthority !== undefined && { authority: { value: tls.certificateAuthority } }),
    },
    user: {
      ...user,
      ...(token !== undefined && { token: { value: token } }),
      ...(tls.clientCertificate !== undefined && {
        certificate: { value: tls.clientCertificate.certificate },
        key: { value: tls.clientCertificate.key },
      }),
    },
  };
}

/**
 * HTTP/1.1 on purpose. A watch whose connection died half way is given up and opened anew, and must not land on the same
 * dead connection, as it would with HTTP/2, where all streams share one. Watches keep to themselves for the same reason:
 * they would use up the connections that requests are limited to.
 */
function openDispatcher(
  { proxyUrl }: ClusterEntry,
  tls: TlsMaterial,
  connections: number | null,
  maxResponseSize = -1,
): Dispatcher {
  const options = {
    allowH2: false,
    maxResponseSize,
    connections,
    keepAliveTimeout: 30_000,
    headersTimeout: 0,
    bodyTimeout: 0,
  } as const;
  const connect = { ...tls, timeout: 10_000, keepAlive: true, keepAliveInitialDelay: 30_000 };
  if (proxyUrl === undefined) return new Agent({ ...options, connect });
  if (!/^https?:/.test(proxyUrl))
    throw new Error(`The proxy-url of the kubeconfig is not supported: only http and https proxies are`);
  return new ProxyAgent({ ...options, uri: proxyUrl, requestTls: connect });
}

async function readBody(answer: Dispatcher.ResponseData): Promise<unknown> {
  const text = await answer.body.text();
  const type = String(answer.headers['content-type'] ?? '');
  if (!/\bjson\b/.test(type)) return text;
  return JSON.parse(text) as unknown;
}

async function* readChunks(answer: Dispatcher.ResponseData, asked: Asked, end: () => void): AsyncGenerator<Buffer> {
  try {
    yield* answer.body as AsyncIterable<Buffer>;
  } catch (error) {
    throw translateKubernetes(error, asked);
  } finally {
    end();
  }
}
