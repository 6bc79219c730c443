import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { StoreReader } from '../internal-api.ts';
import { StatusError } from '../status-error.ts';
import type { User } from '../user.ts';
import { checkBoundToken, checkSecretToken, digest } from './check-account-token.ts';
import { quotedList } from './go-text.ts';
import { type Claims, isSignedBy, readClaims } from './json-web-token.ts';
import { legacyIssuer } from './service-account-token.ts';
import type { SigningKey } from './signing-key.ts';

export interface StaticToken {
  readonly token: string;
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}

interface AuthenticatorOptions {
  readonly read: StoreReader;
  readonly clock: Clock;
  readonly keys: readonly SigningKey[];
  /** The `iss` of our tokens, and the audience that this server answers to. */
  readonly issuer: string;
  readonly tokens: readonly StaticToken[];
}

type TokenAnswer = { readonly user: User; readonly audiences: readonly string[] } | { readonly error: string };

export interface Authenticator {
  /** Who sends this Authorization header. Throws the 401. */
  authenticate(authorization: string | undefined): User;
  /** For TokenReview. No audiences: those of this server. */
  authenticateToken(token: string, audiences: readonly string[]): TokenAnswer;
}

const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

const unknownToken = 'invalid bearer token';

/** Proven tokens whose signature need not be checked again; a handful of callers send the same ones all the time. */
const rememberedTokens = 1_000;

function userOf({ user, uid, groups }: StaticToken): User {
  const all = groups.includes('system:authenticated') ? groups : [...groups, 'system:authenticated'];
  return { name: user, ...(uid === undefined ? {} : { uid }), groups: all };
}

function tokenIn(authorization: string | undefined): string {
  const [scheme = '', token = ''] = (authorization ?? '').trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' ? token : '';
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { read, clock, keys, issuer } = options;
  const known = options.tokens.map((token) => ({ hash: digest(token.token), user: userOf(token) }));
  const proven = new Map<string, Claims>();

  /** Every hash is compared, and in full, so that the time says nothing about any of them. */
  function staticUser(hash: Buffer): User | undefined {
    let found: User | undefined;
    for (const candidate of known) {
      if (timingSafeEqual(candidate.hash, hash)) found ??= candidate.user;
    }
    return found;
  }

  /** The claims of a token that we signed, or what is wrong with it. */
  function provenClaims(token: string, hash: Buffer): Claims | string {
    const key = hash.toString('base64');
    const remembered = proven.get(key);
    if (remembered !== undefined) return remembered;
    const claims = readClaims(token);
    if (claims === undefined || (claims['iss'] !== issuer && claims['iss'] !== legacyIssuer)) {
      return unknownToken;
    }
    if (!isSignedBy(token, keys)) return `[${unknownToken}, the signature of the token does not match]`;
    if (proven.size >= rememberedTokens) proven.clear();
    proven.set(key, claims);
    return claims;
  }

  function audiencesOf(claims: Claims): readonly string[] {
    const claimed = claims['aud'];
    if (typeof claimed === 'string') return [claimed];
    return Array.isArray(claimed) ? claimed.filter((audience) => typeof audience === 'string') : [];
  }

  function accountAnswer(token: string, hash: Buffer, targets: readonly string[]): TokenAnswer {
    const claims = provenClaims(token, hash);
    if (typeof claims === 'string') return { error: claims };
    const isLegacy = claims['iss'] === legacyIssuer;
    const held = audiencesOf(claims);
    // A token without an audience is one of a Secret; it is meant for this server and for nobody else.
    const audiences = (held.length === 0 ? [issuer] : held).filter((audience) => targets.includes(audience));
    if (audiences.length === 0) {
      return {
        error: `[${unknownToken}, token audiences ${quotedList(held)} is invalid for the target audiences ${quotedList(targets)}]`,
      };
    }
    const checked = isLegacy ? checkSecretToken(read, claims, token) : checkBoundToken(read, claims, clock.now());
    return 'error' in checked ? { error: `[${unknownToken}, ${checked.error}]` } : { user: checked.user, audiences };
  }

  function authenticateToken(token: string, audiences: readonly string[]): TokenAnswer {
    const targets = audiences.length === 0 ? [issuer] : audiences;
    const hash = digest(token);
    const user = staticUser(hash);
    if (user === undefined) return accountAnswer(token, hash, targets);
    return targets.includes(issuer) ? { user, audiences: [issuer] } : { error: unknownToken };
  }

  return {
    authenticate(authorization) {
      const token = tokenIn(authorization);
      if (token === '') return anonymous;
      const answer = authenticateToken(token, []);
      if ('error' in answer) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
      return answer.user;
    },
    authenticateToken,
  };
}
