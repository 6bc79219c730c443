import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { type Answer, isWelcome, refusal, unknownCaller } from '../../shared/runtime/define-webhook.ts';
import type { Machine } from '../../shared/runtime/machine.ts';
import { keepDomainsOff } from './domains-off.ts';

export interface FrontSettings {
  readonly machine: Machine;
  /** The names of the functions that HTTP may call. */
  readonly functions: readonly string[];
  /** The functions that answer people, by the path that each answers with all that is below. */
  readonly pages?: ReadonlyMap<string, string> | undefined;
  readonly health: () => Promise<Answer>;
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer; readonly clientCa?: Buffer | undefined } | undefined;
}

/** The paths under which API servers know the webhooks of the original service. */
const admissionPath = /^\/(?:mutate|validate)-[a-z\d-]+$/;

/** A request whose body has been read, as the framework expects one that its own parser has read. */
type ReadRequest = IncomingMessage & { body?: unknown; rawBody?: Buffer };

/**
 * One server in front of every function. The framework serves one function per server and reads bodies of a gigabyte,
 * so the limits, the caller's name and the JSON are checked here, before it sees the request.
 */
export async function startFront({ machine, functions, pages, health, host, port, tls }: FrontSettings) {
  // The framework puts error texts and stacks into its answers outside production.
  process.env['NODE_ENV'] ??= 'production';
  keepDomainsOff();
  const servers = new Map(functions.map((name) => [name, getTestServer(name)]));

  async function serve(request: ReadRequest, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://front');
    if (pathname === '/healthz') return send(response, await health());
    if (pathname === '/metrics') {
      response.setHeader('content-type', machine.metrics.registry.contentType);
      response.end(await machine.metrics.registry.metrics());
      return;
    }
    const page = pageAt(pathname);
    if (page !== undefined) {
      // The framework has answers of its own for a path that cannot be decoded, without our guards around them.
      if (!isDecodable(pathname)) return refuse(page, refusal(404, 'There is nothing here.'));
      // Nothing that they are asked has a body, and the framework would read any: it is not let in.
      if (isReading(request) && !hasBody(request)) servers.get(page)?.emit('request', request, response);
      else {
        response.setHeader('allow', 'GET, HEAD');
        refuse(page, refusal(405, 'Nothing can be changed here: send a GET without a body.'));
      }
      return;
    }
    const name = admissionPath.test(pathname) ? 'admit-resource' : pathname.slice(1);
    const server = servers.get(name);
    if (server === undefined)
      return send(
        response,
        refusal(404, `No function is called ${name || 'that'}. There are: ${functions.join(', ')}.`),
      );
    if (!isWelcome(request, name, machine)) return refuse(name, unknownCaller);
    const body = await readBody(request, machine.bodyLimitBytes);
    if (body === undefined)
      return refuse(
        name,
        refusal(413, `The body is larger than ${machine.bodyLimitBytes} bytes. Send fewer events at a time.`),
      );
    const parsed = parse(body);
    if (parsed === undefined) return refuse(name, refusal(400, 'The body is not a JSON object.'));
    request.rawBody = body;
    request.body = parsed;
    server.emit('request', request, response);

    function refuse(fn: string, answer: Answer): void {
      machine.metrics.webhookRefusals.inc({ fn, status: String(answer.status) });
      // What is left of the body is not worth reading.
      response.setHeader('connection', 'close');
      send(response, answer);
    }
  }

  /** The first page is also what the root leads to. */
  function pageAt(pathname: string): string | undefined {
    const paths = [...(pages?.keys() ?? [])];
    const path = pathname === '/' ? paths[0] : paths.find((one) => pathname === one || pathname.startsWith(`${one}/`));
    return path === undefined ? undefined : pages?.get(path);
  }

  let unanswered = 0;
  let allAnswered = (): void => {};
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    unanswered += 1;
    response.once('close', () => {
      unanswered -= 1;
      if (unanswered === 0) allAnswered();
    });
    serve(request, response).catch((error: unknown) => {
      machine.log.warn('request failed', { url: request.url?.slice(0, 200), error: String(error) });
      if (!response.headersSent) send(response, refusal(400, 'The request broke off.'));
    });
  };
  const server: Server =
    tls === undefined
      ? createServer(listener)
      : createSecureServer(
          {
            cert: tls.cert,
            key: tls.key,
            ...(tls.clientCa !== undefined && { ca: tls.clientCa, requestCert: true, rejectUnauthorized: false }),
          },
          listener,
        );
  server.requestTimeout = 60_000;
  server.headersTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(taken ? new Error(`Port ${port} is taken; choose another with --port or PORT`, { cause: error }) : error);
    });
    server.listen(port, host, resolve);
  });
  const { address, port: actual } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${address.includes(':') ? `[${address}]` : address}:${actual}`,
    /** Answers what was asked; who has not finished asking by then is cut off. */
    async close(limitMs: number): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        allAnswered = () => {
          clearTimeout(timer);
          resolve();
        };
        if (unanswered === 0) allAnswered();
      });
      // Clients dial ahead: a connection that never carried a request is not idle to Node, and would be waited for until
      // its client gives it up. kube-apiserver's audit webhook was seen to take 90 seconds.
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(`${JSON.stringify(body)}\n`);
}

function isDecodable(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname) !== '';
  } catch {
    return false;
  }
}

function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Undefined: larger than the limit. What is over it is not read. */
async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
