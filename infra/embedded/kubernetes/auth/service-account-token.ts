import { randomUUID } from 'node:crypto';
import { signToken } from './json-web-token.ts';
import type { SigningKey } from './signing-key.ts';

interface AccountReference {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface TokenOptions {
  readonly key: SigningKey;
  readonly issuer: string;
  /** Milliseconds. */
  readonly now: number;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly account: AccountReference;
  /** The token ends with this object of the same namespace. */
  readonly boundTo?: { readonly kind: 'Pod' | 'Secret'; readonly name: string; readonly uid: string };
}

export const legacyIssuer = 'kubernetes/serviceaccount';

export function accountUserName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** A token that ends by itself, as the token subresource of a ServiceAccount gives it. */
export function signServiceAccountToken(options: TokenOptions): { readonly token: string; readonly expiresAt: number } {
  const { key, issuer, account, boundTo } = options;
  const issuedAt = Math.floor(options.now / 1000);
  const expires = issuedAt + options.seconds;
  const bound = boundTo === undefined ? {} : { [boundTo.kind.toLowerCase()]: { name: boundTo.name, uid: boundTo.uid } };
  const claims = {
    aud: options.audiences,
    exp: expires,
    iat: issuedAt,
    iss: issuer,
    jti: randomUUID(),
    'kubernetes.io': {
      namespace: account.namespace,
      ...bound,
      serviceaccount: { name: account.name, uid: account.uid },
    },
    nbf: issuedAt,
    sub: accountUserName(account.namespace, account.name),
  };
  return { token: signToken(claims, key), expiresAt: expires * 1000 };
}

/** The token of a Secret of type kubernetes.io/service-account-token. It ends with that Secret, and not before. */
export function signSecretToken(options: {
  readonly key: SigningKey;
  readonly account: AccountReference;
  readonly secretName: string;
}): string {
  const { account, secretName, key } = options;
  return signToken(
    {
      iss: legacyIssuer,
      'kubernetes.io/serviceaccount/namespace': account.namespace,
      'kubernetes.io/serviceaccount/secret.name': secretName,
      'kubernetes.io/serviceaccount/service-account.name': account.name,
      'kubernetes.io/serviceaccount/service-account.uid': account.uid,
      sub: accountUserName(account.namespace, account.name),
    },
    key,
  );
}
