import { describe, expect, it } from 'vitest';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import { until } from '../../../support/until.ts';
import { eventually, grantIn } from './rbac-grants.ts';

const whoami = pathOf('authentication.k8s.io/v1', 'selfsubjectreviews');
const tokenReviews = pathOf('authentication.k8s.io/v1', 'tokenreviews');
const issuer = 'https://kubernetes.default.svc';

interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly 'kubernetes.io': unknown;
}

function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}

export function describeTokens(world: () => ApiWorld): void {
  const admin = () => world().client();

  async function robot(): Promise<{ namespace: string; path: string; uid: string }> {
    const namespace = await world().namespace();
    const made = await admin().create(pathOf('v1', 'serviceaccounts', namespace), { metadata: { name: 'robot' } });
    expect(made.code).toBe(201);
    return {
      namespace,
      path: pathOf('v1', 'serviceaccounts', namespace, 'robot'),
      uid: made.body.metadata.uid,
    };
  }

  async function tokenFor(path: string, spec: unknown = {}): Promise<{ token: string; expirationTimestamp: string }> {
    const { code, body } = await admin().create(`${path}/token`, { spec });
    expect(code).toBe(201);
    return body.status as { token: string; expirationTimestamp: string };
  }

  const reviewed = async (token: string, audiences?: readonly string[]) => {
    const spec = { token, ...(audiences && { audiences }) };
    return admin().create(tokenReviews, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec });
  };
  const asks = (token: string) =>
    world().client(token).create(whoami, { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });

  describe('the token of a service account', () => {
    it('is made on request, for an hour and for this server', async () => {
      const { namespace, path, uid } = await robot();

      const { code, body } = await admin().create(`${path}/token`, { spec: {} });

      expect([code, body.kind, body.apiVersion]).toEqual([201, 'TokenRequest', 'authentication.k8s.io/v1']);
      expect(body.spec).toEqual({ audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null });
      const { token, expirationTimestamp } = body.status as { token: string; expirationTimestamp: string };
      const claims = claimsOf(token);
      expect(claims).toMatchObject({
        iss: issuer,
        sub: `system:serviceaccount:${namespace}:robot`,
        aud: [issuer],
        'kubernetes.io': { namespace, serviceaccount: { name: 'robot', uid } },
      });
      expect(claims.exp - claims.iat).toBe(3600);
      expect(Date.parse(expirationTimestamp)).toBe(claims.exp * 1000);
    });

    it('lives as long as was asked for', async () => {
      const { path } = await robot();

      const { exp, iat } = claimsOf((await tokenFor(path, { expirationSeconds: 7200 })).token);

      expect(exp - iat).toBe(7200);
    });

    it('lives for ten minutes at least', async () => {
      const { path } = await robot();

      const { code, body } = await admin().create(`${path}/token`, { spec: { expirationSeconds: 1 } });

      expect([code, body.message]).toEqual([
        422,
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes',
      ]);
    });

    it('speaks for the account and its groups', async () => {
      const { namespace, path, uid } = await robot();
      const { token } = await tokenFor(path);

      const { body } = await asks(token);

      expect(body.status).toMatchObject({
        userInfo: {
          username: `system:serviceaccount:${namespace}:robot`,
          uid,
          groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
        },
      });
    });

    it('may do what its account may do', async () => {
      const { namespace, path } = await robot();
      const client = world().client((await tokenFor(path)).token);
      const before = await client.list(pathOf('v1', 'secrets', namespace));

      const rule = { apiGroups: [''], resources: ['secrets'], verbs: ['list'] };
      await grantIn(world(), namespace, { kind: 'Group', name: `system:serviceaccounts:${namespace}` }, rule);
      await eventually(200, () => client.list(pathOf('v1', 'secrets', namespace)));

      expect([before.code, before.body.message]).toEqual([
        403,
        `secrets is forbidden: User "system:serviceaccount:${namespace}:robot" cannot list resource "secrets" in API group "" in the namespace "${namespace}"`,
      ]);
    });

    it('for another audience opens nothing here', async () => {
      const { path } = await robot();

      const { token } = await tokenFor(path, { audiences: ['elsewhere'] });

      expect(claimsOf(token).aud).toEqual(['elsewhere']);
      expect((await asks(token)).code).toBe(401);
    });

    it('dies with the account, and does not come back with its name', async () => {
      const { namespace, path } = await robot();
      const [first, second] = [(await tokenFor(path)).token, (await tokenFor(path)).token];

      await admin().delete(path);
      await until('the account to be gone', async () => (await admin().get(path)).code === 404);
      // Who was seen a moment ago may still be believed for some seconds: each token is used once.
      const gone = await eventually(401, () => asks(first));
      await admin().create(pathOf('v1', 'serviceaccounts', namespace), { metadata: { name: 'robot' } });
      const again = await asks(second);

      expect([gone.code, gone.body.message, again.code]).toEqual([401, 'Unauthorized', 401]);
    });

    it('that was changed on the way is refused', async () => {
      const { path } = await robot();
      const [header, payload, signature] = (await tokenFor(path)).token.split('.');
      const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString('utf8'));
      const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'system:serviceaccount:kube-system:admin' }));

      expect((await asks(`${header}.${forged.toString('base64url')}.${signature}`)).code).toBe(401);
    });

    it('is not made for an account that is not there', async () => {
      const namespace = await world().namespace();

      const { code, body } = await admin().create(pathOf('v1', 'serviceaccounts', namespace, 'nobody', 'token'), {});

      expect([code, body.message]).toEqual([404, 'serviceaccounts "nobody" not found']);
    });
  });

  describe('a TokenReview', () => {
    it('tells whose token it is', async () => {
      const { namespace, path, uid } = await robot();

      const { code, body } = await reviewed((await tokenFor(path)).token);

      expect(code).toBe(201);
      expect(body.status).toMatchObject({
        authenticated: true,
        user: { username: `system:serviceaccount:${namespace}:robot`, uid },
        audiences: [issuer],
      });
    });

    it('tells it for the audience that is asked for', async () => {
      const { path } = await robot();
      const { token } = await tokenFor(path, { audiences: ['elsewhere'] });

      const there = await reviewed(token, ['elsewhere', 'nowhere']);
      const here = await reviewed(token);

      expect(there.body.status).toMatchObject({ authenticated: true, audiences: ['elsewhere'] });
      expect(here.body.status).not.toHaveProperty('authenticated');
      expect((here.body.status as { error: string }).error).toContain(
        `token audiences ["elsewhere"] is invalid for the target audiences ["${issuer}"]`,
      );
    });

    it('knows people, and knows nonsense', async () => {
      const person = await reviewed('alice-token');
      const nonsense = await reviewed('nonsense');
      const nothing = await reviewed('');

      expect(person.body.status).toMatchObject({
        authenticated: true,
        user: { username: 'alice', groups: ['tenants', 'system:authenticated'] },
      });
      expect(nonsense.body.status).toEqual({ user: {}, error: 'invalid bearer token' });
      expect([nothing.code, nothing.body.message]).toEqual([
        400,
        'token is required for TokenReview in authentication',
      ]);
    });
  });
}
