import { Agent, request } from 'undici';

export interface WebhookCall {
  /** With the query that tells the webhook how long it has. */
  readonly url: string;
  /** Base64 of PEM; empty: the certificate authorities of the machine. */
  readonly caBundle: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface WebhookAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly body: string;
}

/** How webhooks are reached: over HTTPS, or in process in a simulation. Throws an Error with a reason in it. */
export interface WebhookCaller {
  call(call: WebhookCall): Promise<WebhookAnswer>;
  close(): Promise<void>;
}

/** Connections are kept for this many certificate authorities; the one used longest ago goes first. */
const largestCache = 16;

/** More than any review of an object that fits into the store. */
const largestAnswer = 8 * 1024 * 1024;

const reasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  UND_ERR_SOCKET: 'EOF',
  ECONNRESET: 'read: connection reset by peer',
};

function reasonOf(error: unknown, url: URL): string {
  const { code = '', message = String(error) } = error as { readonly code?: string; readonly message?: string };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const place = `${host}:${url.port === '' ? '443' : url.port}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${place}: connect: connection refused`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `tls: failed to verify certificate: x509: certificate is not valid for ${host}`;
  }
  return reasons[code] ?? message;
}

export function createHttpsCaller(): WebhookCaller {
  const agents = new Map<string, Agent>();

  function agentFor(caBundle: string): Agent {
    const known = agents.get(caBundle);
    const agent = known ?? new Agent({ connect: trust(caBundle), connections: 32, keepAliveTimeout: 30_000 });
    agents.delete(caBundle);
    agents.set(caBundle, agent);
    const oldest = agents.keys().next().value;
    if (agents.size > largestCache && oldest !== undefined) {
      // Requests under way still end; only nobody new comes.
      agents
        .get(oldest)
        ?.close()
        .catch(() => undefined);
      agents.delete(oldest);
    }
    return agent;
  }

  async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > largestAnswer) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  return {
    async call({ url, caBundle, body, signal }) {
      try {
        const response = await request(url, {
          dispatcher: agentFor(caBundle),
          method: 'POST',
          headers: {
            accept: 'application/json, */*',
            'content-type': 'application/json',
            'user-agent': 'kube-apiserver-admission',
          },
          body,
          signal,
        });
        return {
          code: response.statusCode,
          contentType: String(response.headers['content-type'] ?? ''),
          body: await read(response.body),
        };
      } catch (error) {
        throw new Error(reasonOf(error, new URL(url)), { cause: error });
      }
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
      agents.clear();
    },
  };
}

function trust(caBundle: string): { ca?: string } {
  return caBundle === '' ? {} : { ca: Buffer.from(caBundle, 'base64').toString('utf8') };
}
