import { readFileSync } from 'node:fs';
import { request } from 'undici';
import type { GitCredential } from '../../domain/gitops/repo-credential.ts';
import type { RepositoryHost } from '../../ports/repository-host.ts';
import { Refused, Transient } from '../../ports/trouble.ts';
import { basicAuthorization } from './authorization.ts';
import { trustingAgent } from './trusting-agent.ts';

export interface HostSettings {
  readonly root: string | undefined;
  readonly username: string;
  /** Undefined: the host asks for none. */
  readonly tokenFile: string | undefined;
  readonly timeoutMs: number;
}

export function openRepositoryHost({ root, username, tokenFile, timeoutMs }: HostSettings): RepositoryHost {
  /** Read whenever it is needed: a new token works without a new process. */
  function credential(): GitCredential {
    const password = tokenFile === undefined ? '' : readToken(tokenFile);
    return { username, password, sshPrivateKey: '' };
  }

  return {
    root,
    credential,
    async make(url, signal) {
      const authorization = basicAuthorization(url, credential());
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const headers = { 'content-length': '0', ...(authorization !== undefined && { authorization }) };
      let status: number;
      try {
        // Nobody is followed to another place: the credential is for this host alone.
        const answer = await request(url, { method: 'PUT', headers, dispatcher: trustingAgent(), signal: limit });
        await answer.body.dump();
        status = answer.statusCode;
      } catch (cause) {
        signal.throwIfAborted();
        throw new Transient('git', `The host of repositories does not answer (${codeOf(cause)})`, { cause });
      }
      judge(status);
    },
  };
}

function readToken(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Transient('git', `GIT_TOKEN_FILE cannot be read (${codeOf(cause)})`, { cause });
  }
  const token = text.trim().split(/\r?\n/, 1)[0] ?? '';
  // Somebody is writing it: an empty token opens nothing.
  if (token === '') throw new Transient('git', 'GIT_TOKEN_FILE is empty');
  return token;
}

/** A host that does not make repositories on request has other answers to it. What it lets us do, the first push shows. */
function judge(status: number): void {
  if (status === 401 || status === 403)
    throw new Refused(
      'RepositoryNotMade',
      'The host of repositories does not let this service make one: an operator must check GIT_USERNAME and the token in GIT_TOKEN_FILE',
    );
  if (status === 408 || status === 429 || (status >= 500 && status !== 501))
    throw new Transient('git', `The host of repositories is not able to make one (${status})`);
}

function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : String(name);
}
