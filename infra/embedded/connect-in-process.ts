import type { ClusterConnection } from '../../shared/adapters/kubernetes/connection.ts';
import { translateKubernetes, UnexpectedAnswer } from '../../shared/adapters/kubernetes/translate-kubernetes.ts';
import type { ApiServer } from './kubernetes/create-api-server.ts';
import type { ApiAnswer, ApiRequest } from './kubernetes/serve/exchange.ts';

/** A connection to an embedded API server in the same process: no socket, no time of its own, for simulation. */
export function connectInProcess(server: Pick<ApiServer, 'handle'>, token: string): ClusterConnection {
  const address = 'https://in-process.invalid';
  return {
    server: address,
    certificateAuthority: async () => undefined,
    request: async (path, { method = 'GET', headers = {}, body, accept = [404] } = {}) => {
      const asked = { method, path };
      try {
        const answer = await server.handle(requestOf(method, path, headers, body));
        return { status: check(answer, accept).code, headers: {}, body: parsed(answer) };
      } catch (error) {
        throw translateKubernetes(error, asked);
      }
    },
    stream: async (path, { headers = {}, signal, accept = [404] } = {}) => {
      const asked = { method: 'GET', path };
      try {
        const answer = await server.handle(requestOf('GET', path, headers, undefined));
        return { status: check(answer, accept).code, chunks: linesOf(answer, signal) };
      } catch (error) {
        throw translateKubernetes(error, asked);
      }
    },
    close: async () => {},
  };

  function requestOf(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
  ): ApiRequest {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const given = {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'stagecoach',
      ...headers,
    };
    const lists = Object.entries({ ...given, authorization: `Bearer ${token}` }).map(([name, value]) => [
      name,
      [value],
    ]);
    return {
      method,
      url,
      headers: Object.fromEntries(lists) as ApiRequest['headers'],
      body: async () => Buffer.from(text),
      sourceIP: '127.0.0.1',
    };
  }
}

function check(answer: ApiAnswer, accept: readonly number[]): ApiAnswer {
  if ((answer.code >= 200 && answer.code < 300) || accept.includes(answer.code)) return answer;
  throw new UnexpectedAnswer(answer.code, parsed(answer));
}

function parsed({ body, headers }: ApiAnswer): unknown {
  return String(headers['content-type']).startsWith('application/json') ? JSON.parse(body) : body;
}

async function* linesOf(answer: ApiAnswer, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  const waiting: string[] = [];
  let isOver = false;
  let wake = (): void => {};
  const end = (): void => {
    isOver = true;
    wake();
  };
  const stop = answer.stream?.({
    write: (line) => {
      waiting.push(line);
      wake();
      return true;
    },
    end,
  });
  signal?.addEventListener('abort', end, { once: true });
  try {
    for (;;) {
      for (const line of waiting.splice(0)) yield Buffer.from(line);
      if (isOver && waiting.length === 0) return;
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stop?.();
  }
}
