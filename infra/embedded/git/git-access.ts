import { createHash, timingSafeEqual } from 'node:crypto';

export interface GitToken {
  readonly token: string;
  readonly access: 'read' | 'write';
}

/** What the bearer of an Authorization header may do; undefined: nobody we know. The user name is not looked at, as on the big hosts. */
export function openGitAccess(
  tokens: readonly GitToken[],
): (header: string | undefined) => GitToken['access'] | undefined {
  if (tokens.some(({ token }) => token.length < 8))
    throw new Error('A token of the embedded git server needs at least 8 characters');
  const known = tokens.map(({ token, access }) => ({ digest: digestOf(token), access }));

  return (header) => {
    const password = readPassword(header);
    if (password === undefined) return undefined;
    const given = digestOf(password);
    let best: GitToken['access'] | undefined;
    // Every token is compared, and digests are of one length: how long it takes says nothing about any of them.
    for (const { digest, access } of known) {
      if (timingSafeEqual(digest, given) && best !== 'write') best = access;
    }
    return best;
  };
}

function readPassword(header: string | undefined): string | undefined {
  const encoded = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : text.slice(colon + 1);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
