import { type Dispatcher, request } from 'undici';
import type { GitCredential, RepositoryVerdict } from '../../domain/gitops/repo-credential.ts';
import { basicAuthorization } from './authorization.ts';
import { outside, troubles } from './outside-trouble.ts';
import { mostBytes, notFound, readHttpAdvertisement } from './read-advertisement.ts';
import { trustingAgent } from './trusting-agent.ts';

/** From the address without `.git` to the one with it, and one more to spare. */
const mostRedirects = 2;

/**
 * Asks a host for the branches of a repository as git does first of all: one GET, with the credential in its header
 * from the start. A host that needs none for a public repository would otherwise never look at a wrong one.
 */
export async function askOverHttp(
  url: string,
  credential: GitCredential,
  signal: AbortSignal,
): Promise<RepositoryVerdict> {
  const authorization = basicAuthorization(url, credential);
  const headers = {
    'user-agent': 'git/2 (stagecoach)',
    accept: '*/*',
    'accept-encoding': 'identity',
    ...(authorization === undefined ? {} : { authorization }),
  };
  let at = new URL(`${url.replace(/\/+$/, '')}/info/refs?service=git-upload-pack`);
  at.username = '';
  try {
    for (let redirects = 0; ; redirects += 1) {
      const answer = await request(at, { dispatcher: trustingAgent(), headers, signal });
      // We leave most answers unread, and undici calls that an error.
      answer.body.on('error', () => {});
      if (answer.statusCode < 300 || answer.statusCode >= 400) return await judge(answer);
      const onward = redirectOf(answer, at);
      answer.body.destroy();
      if (onward === undefined || redirects === mostRedirects) return outside(troubles.moved);
      at = onward;
    }
  } catch (error) {
    return judgeError(error);
  }
}

/** A credential is for the host that it was given for, and for no other that this one names. */
function redirectOf({ headers }: Dispatcher.ResponseData, from: URL): URL | undefined {
  const { location } = headers;
  const to = typeof location === 'string' ? URL.parse(location, from.href) : null;
  if (to === null || to.origin !== from.origin || !to.pathname.endsWith('/info/refs')) return undefined;
  return to.username === '' && to.password === '' ? to : undefined;
}

async function judge({ statusCode, body }: Dispatcher.ResponseData): Promise<RepositoryVerdict> {
  if (statusCode === 200) {
    let text = '';
    for await (const chunk of body) {
      text += (chunk as Buffer).toString('latin1');
      if (text.length >= mostBytes) break;
    }
    return readHttpAdvertisement(text);
  }
  body.destroy();
  if (statusCode === 404 || statusCode === 410) return notFound;
  if (statusCode === 429) return outside(troubles.busy);
  return statusCode >= 500 ? outside(troubles.failing) : { kind: 'denied' };
}

const meanings: Readonly<Record<string, keyof typeof troubles>> = {
  ENOTFOUND: 'unknownName',
  EAI_AGAIN: 'unknownName',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'silent',
  UND_ERR_CONNECT_TIMEOUT: 'silent',
  UND_ERR_HEADERS_TIMEOUT: 'silent',
  UND_ERR_BODY_TIMEOUT: 'silent',
};

function judgeError(error: unknown): RepositoryVerdict {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return outside(troubles.silent);
  const known = typeof code === 'string' ? meanings[code] : undefined;
  if (known !== undefined) return outside(troubles[known]);
  return outside(/CERT|ALTNAME|SIGNED|VERIFY|ISSUER/.test(String(code)) ? troubles.untrusted : troubles.broken);
}
