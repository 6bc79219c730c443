import { sign, verify } from 'node:crypto';
import type { SigningKey } from './signing-key.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** Tokens of ServiceAccounts have some 900 bytes; whatever is much larger is not worth a signature check. */
const largestToken = 16_384;

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signature(data: string, key: SigningKey): Buffer {
  return sign('sha256', Buffer.from(data), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
}

export function signToken(claims: Claims, key: SigningKey): string {
  const data = `${encode({ alg: key.algorithm, kid: key.id })}.${encode(claims)}`;
  return `${data}.${signature(data, key).toString('base64url')}`;
}

function decode(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}

/** The claims of something that looks like a token. They prove nothing before the signature is checked. */
export function readClaims(token: string): Claims | undefined {
  if (token.length > largestToken || !/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return undefined;
  return decode(token.split('.')[1] ?? '');
}

/**
 * Whether one of our keys signed this token. The algorithm is the key's own: what the token says of it is only compared,
 * so that neither `none` nor a public key used as a secret gets anywhere.
 */
export function isSignedBy(token: string, keys: readonly SigningKey[]): boolean {
  const [head = '', body = '', proof = ''] = token.split('.');
  const header = decode(head);
  if (header === undefined || header['crit'] !== undefined) return false;
  const candidates = keys.filter(
    ({ id, algorithm }) => header['alg'] === algorithm && (header['kid'] === undefined || header['kid'] === id),
  );
  const data = Buffer.from(`${head}.${body}`);
  return candidates.some(({ publicKey }) =>
    verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(proof, 'base64url')),
  );
}
