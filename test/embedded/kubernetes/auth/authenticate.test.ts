import { createHmac, generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { type Authenticator, createAuthenticator } from '../../../../infra/embedded/kubernetes/auth/authenticate.ts';
import { signToken } from '../../../../infra/embedded/kubernetes/auth/json-web-token.ts';
import {
  signSecretToken,
  signServiceAccountToken,
} from '../../../../infra/embedded/kubernetes/auth/service-account-token.ts';
import {
  loadSigningKey,
  makeSigningKey,
  publicKeySet,
} from '../../../../infra/embedded/kubernetes/auth/signing-key.ts';
import { SteppedClock } from '../../../support/stepped-clock.ts';
import { refusalOf } from './asking.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

const issuer = 'https://kubernetes.default.svc';
const key = loadSigningKey(makeSigningKey());

let store: MemoryStore;
let clock: SteppedClock;
let authenticator: Authenticator;
let account: ApiObject;

function object(kind: string, name: string, more: Record<string, unknown> = {}): ApiObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'x' }, ...more };
}

function reference() {
  return { namespace: 'x', name: 'bot', uid: account.metadata.uid ?? '' };
}

function tokenFor(more: Partial<Parameters<typeof signServiceAccountToken>[0]> = {}): string {
  const usual = { key, issuer, now: clock.now(), audiences: [issuer], seconds: 3600, account: reference() };
  return signServiceAccountToken({ ...usual, ...more }).token;
}

function who(token: string) {
  return authenticator.authenticate(`Bearer ${token}`);
}

function errorOf(token: string): string {
  const answer = authenticator.authenticateToken(token, []);
  return 'error' in answer ? answer.error : 'no error';
}

beforeEach(() => {
  store = createMemoryStore();
  clock = new SteppedClock();
  account = store.put('serviceaccounts', object('ServiceAccount', 'bot'));
  authenticator = createAuthenticator({
    read: store,
    clock,
    keys: [key],
    issuer,
    tokens: [
      { token: 'alice-token', user: 'alice', uid: 'u-alice', groups: ['devs'] },
      { token: 'bob-token', user: 'bob', groups: [] },
    ],
  });
});

describe('authentication', () => {
  it('knows the tokens it was given, in any case of the word Bearer', () => {
    expect(who('alice-token')).toEqual({ name: 'alice', uid: 'u-alice', groups: ['devs', 'system:authenticated'] });
    expect(authenticator.authenticate('bearer bob-token')).toEqual({ name: 'bob', groups: ['system:authenticated'] });
  });

  it('takes whoever shows nothing, or nothing that it understands, for anonymous', () => {
    const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

    for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer  alice-token']) {
      expect(authenticator.authenticate(header)).toEqual(anonymous);
    }
  });

  it('refuses an unknown token as the API does', () => {
    expect(refusalOf(() => who('nope'))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Unauthorized',
      reason: 'Unauthorized',
      code: 401,
    });
  });
});

describe('a token of a ServiceAccount', () => {
  it('stands for the account and its groups', () => {
    const user = who(tokenFor());

    expect(user).toMatchObject({
      name: 'system:serviceaccount:x:bot',
      uid: account.metadata.uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:x', 'system:authenticated'],
    });
    expect(user.extra?.['authentication.kubernetes.io/credential-id']?.[0]).toMatch(/^JTI=[0-9a-f-]{36}$/);
  });

  it('ends at its time, give or take a minute', async () => {
    const token = tokenFor({ seconds: 600 });

    await clock.step(650_000);
    expect(who(token).name).toBe('system:serviceaccount:x:bot');
    await clock.step(20_000);
    expect(errorOf(token)).toBe('[invalid bearer token, service account token has expired]');
  });

  it('ends with its account, also where another of the same name follows', () => {
    const token = tokenFor();
    const old = account.metadata.uid;

    store.remove('serviceaccounts', 'x', 'bot');
    expect(errorOf(token)).toBe('[invalid bearer token, serviceaccounts "bot" not found]');
    const next = store.put('serviceaccounts', object('ServiceAccount', 'bot'));
    expect(errorOf(token)).toBe(
      `[invalid bearer token, service account UID (${next.metadata.uid}) does not match claim (${old})]`,
    );
  });

  it('ends with the Secret or Pod that it is bound to', () => {
    const secret = store.put('secrets', object('Secret', 's'));
    const pod = store.put('pods', object('Pod', 'p'));
    const ofSecret = tokenFor({ boundTo: { kind: 'Secret', name: 's', uid: secret.metadata.uid ?? '' } });
    const ofPod = tokenFor({ boundTo: { kind: 'Pod', name: 'p', uid: pod.metadata.uid ?? '' } });

    expect(who(ofPod).extra).toMatchObject({ 'authentication.kubernetes.io/pod-name': ['p'] });
    expect(who(ofSecret).name).toBe('system:serviceaccount:x:bot');
    store.remove('secrets', 'x', 's');
    store.put('pods', object('Pod', 'p'));

    expect(errorOf(ofSecret)).toBe('[invalid bearer token, service account token has been invalidated]');
    expect(errorOf(ofPod)).toContain('does not match service account pod ref claim');
  });

  it('is of no use here when it was made for somebody else', () => {
    const token = tokenFor({ audiences: ['vault'] });

    expect(refusalOf(() => who(token)).code).toBe(401);
    expect(errorOf(token)).toBe(
      `[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["${issuer}"]]`,
    );
    expect(authenticator.authenticateToken(token, ['vault', 'other'])).toMatchObject({ audiences: ['vault'] });
  });

  it('is refused where anything about its signature is wrong', () => {
    const [head = '', body = '', proof = ''] = tokenFor().split('.');
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = encode({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), sub: 'system:admin' });
    const stranger = loadSigningKey(makeSigningKey());
    const publicPem = key.publicKey.export({ type: 'spki', format: 'pem' });
    const hashed = `${encode({ alg: 'HS256', kid: key.id })}.${body}`;
    const tries = [
      `${head}.${forged}.${proof}`,
      `${head}.${body}.${proof.slice(0, -4)}AAAA`,
      `${head}.${body}.`,
      `${encode({ alg: 'none' })}.${body}.`,
      `${encode({ alg: 'none', kid: key.id })}.${body}.${proof}`,
      `${hashed}.${createHmac('sha256', publicPem).update(hashed).digest('base64url')}`,
      `${encode({ alg: 'ES256', kid: key.id, crit: ['x'] })}.${body}.${proof}`,
      tokenFor({ key: stranger }),
      tokenFor({ key: { ...stranger, id: key.id } }),
      `${head}.${body}`,
      `${head}.${body}.${proof}.more`,
      `${head}.!!!.${proof}`,
      `.${body}.${proof}`,
      'a.b.c',
      '..',
    ];

    for (const token of tries) expect(refusalOf(() => who(token)).code).toBe(401);
  });

  it('is refused where its claims are monstrous, and costs no work', () => {
    const huge = signToken({ iss: issuer, filler: 'x'.repeat(1_000_000) }, key);
    const strange = [
      { iss: issuer },
      { iss: issuer, exp: '9999999999', aud: [issuer] },
      { iss: issuer, exp: 1e12, aud: { 0: issuer } },
      { iss: issuer, exp: 1e12, aud: [issuer], 'kubernetes.io': 'x' },
      { iss: issuer, exp: 1e12, aud: [issuer], 'kubernetes.io': { namespace: '__proto__', serviceaccount: [] } },
      { iss: issuer, exp: 1e12, aud: [issuer], 'kubernetes.io': { namespace: 'x', serviceaccount: { name: 'bot' } } },
      JSON.parse('{"iss":"https://kubernetes.default.svc","__proto__":{"exp":1e12}}'),
    ];

    expect(errorOf(huge)).toBe('invalid bearer token');
    for (const claims of strange) expect(refusalOf(() => who(signToken(claims, key))).code).toBe(401);
  });

  it('from a Secret holds as long as the Secret has it', () => {
    const token = signSecretToken({ key, account: reference(), secretName: 'tok' });
    const data = { token: Buffer.from(token).toString('base64') };
    store.put('secrets', object('Secret', 'tok', { type: 'kubernetes.io/service-account-token', data }));

    expect(who(token)).toEqual({
      name: 'system:serviceaccount:x:bot',
      uid: account.metadata.uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:x', 'system:authenticated'],
    });
    store.put('secrets', object('Secret', 'tok', { data: { token: 'AAAA' } }));
    expect(errorOf(token)).toBe("[invalid bearer token, Token does not match server's copy]");
    store.remove('secrets', 'x', 'tok');
    expect(errorOf(token)).toBe('[invalid bearer token, Token has been invalidated]');
  });
});

describe('the signing key', () => {
  it('may be an RSA key, and shows only its public half', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rsa = loadSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    const both = createAuthenticator({ read: store, clock, keys: [key, rsa], issuer, tokens: [] });

    const user = both.authenticate(`Bearer ${tokenFor({ key: rsa })}`);
    const shown = publicKeySet([key, rsa]).keys;

    expect(user.name).toBe('system:serviceaccount:x:bot');
    expect(shown.map(({ kty, alg }) => [kty, alg])).toEqual([
      ['EC', 'ES256'],
      ['RSA', 'RS256'],
    ]);
    expect(shown.some((each) => 'd' in each)).toBe(false);
  });

  it('of another sort is refused with a way out', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

    expect(() => loadSigningKey(pem)).toThrow('use an RSA or a P-256 key');
  });
});
