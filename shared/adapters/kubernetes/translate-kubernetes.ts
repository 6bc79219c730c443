import { Conflict, Refused, Transient, type Trouble, Uncertain } from '../../ports/trouble.ts';

/** What was asked, as far as it matters for what an error means. */
export interface Asked {
  readonly method: string;
  readonly path: string;
}

/** An answer of the API server that is not a success. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;
  readonly reason: string;

  constructor(status: number, body: unknown) {
    const { reason, message } = readStatus(body);
    super(message ?? `HTTP ${status}`);
    this.status = status;
    this.reason = reason ?? '';
  }
}

/** The only place that knows what an error of the API server, or of the way to it, means to us. */
export function translateKubernetes(error: unknown, asked: Asked): Trouble {
  // Without its query, so that the same trouble has the same words every time.
  const what = `${asked.method} ${asked.path.split('?', 1)[0]}`;
  if (error instanceof UnexpectedAnswer) return translateAnswer(error, asked, what);
  const code = codeOf(error);
  if (isWrite(asked) && !neverSent.has(code) && !isTlsRefusal(code)) {
    return new Uncertain('cluster', `${what} was sent and not answered (${code}): look before doing it again`, {
      cause: error,
    });
  }
  return new Transient('cluster', `${what} did not reach the API server (${code})`, { cause: error });
}

function translateAnswer(answer: UnexpectedAnswer, asked: Asked, what: string): Trouble {
  const { status, reason, message } = answer;
  const cause = { cause: answer };
  switch (true) {
    // Someone wrote first (Conflict), or it is there already (AlreadyExists).
    case status === 409:
      return new Conflict(`${what}: ${message}`, cause);
    // A continue token or a resourceVersion that the server no longer knows: list again.
    case status === 410:
      return new Conflict(`${what}: ${message}`, cause);
    case status === 401:
      return new Transient(
        'cluster',
        `The API server does not accept our credential (401 for ${what}): renew the token or certificate of the kubeconfig or ServiceAccount`,
        cause,
      );
    case status === 408 || status === 425 || status === 429:
      return new Transient('cluster', `${what}: the API server is too busy (${status})`, cause);
    // etcd does not take it, and the API server has no better status for that.
    case status === 500 && isTooLarge(answer):
      return new Refused('RequestEntityTooLarge', message, cause);
    case status >= 500 && isWrite(asked) && mayHaveHappened(answer):
      return new Uncertain('cluster', `${what} ended with ${status} (${message}): look before doing it again`, cause);
    case status >= 500:
      return new Transient('cluster', `${what} ended with ${status} (${message})`, cause);
    // 400 BadRequest, 403 Forbidden, 413 RequestEntityTooLarge, 422 Invalid: the same request never works.
    case status >= 400:
      return new Refused(reason === '' ? `Http${status}` : reason, message, cause);
    // A redirect or the like is a proxy or a login page, not an API server.
    default:
      return new Transient(
        'cluster',
        `${what} was answered with ${status}, which no API server does: check the server address`,
        cause,
      );
  }
}

/**
 * A gateway that lost its backend (502, 504), the API server's own time-out (reason Timeout), etcd's ("etcdserver: request
 * timed out") and a connection to etcd that broke on the way ("rpc error") all leave open whether the write was made. The
 * last two were seen as a plain 500.
 */
function mayHaveHappened({ status, reason, message }: UnexpectedAnswer): boolean {
  return (
    status === 502 ||
    status === 504 ||
    reason === 'Timeout' ||
    /timed? ?out|deadline exceeded|leader changed|rpc error/i.test(message)
  );
}

/** etcd's own limit for one object, or that of the way to it. Both were seen as a plain 500. */
function isTooLarge({ message }: UnexpectedAnswer): boolean {
  return /etcdserver: request is too large|trying to send message larger than max/.test(message);
}

// The connection was never made, so nothing can have happened.
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
]);

function isTlsRefusal(code: string): boolean {
  return /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/.test(code);
}

function isWrite({ method }: Asked): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at instanceof AggregateError && at.errors[0] instanceof Error) return codeOf(at.errors[0]);
  }
  return error instanceof Error ? error.name : 'unknown error';
}

function readStatus(body: unknown): { reason?: string; message?: string } {
  if (typeof body === 'string' && body !== '') return { message: body.slice(0, 300) };
  if (typeof body !== 'object' || body === null) return {};
  const reason = 'reason' in body && typeof body.reason === 'string' ? body.reason : undefined;
  const message = 'message' in body && typeof body.message === 'string' ? body.message : undefined;
  return { ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) };
}
