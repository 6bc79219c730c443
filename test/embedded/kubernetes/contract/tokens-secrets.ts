import { describe, expect, it } from 'vitest';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import { until } from '../../../support/until.ts';

const whoami = pathOf('authentication.k8s.io/v1', 'selfsubjectreviews');
const type = 'kubernetes.io/service-account-token';

export function describeTokenSecrets(world: () => ApiWorld): void {
  const admin = () => world().client();
  const tokenSecret = (name: string, account: string) => ({
    metadata: { name, annotations: { 'kubernetes.io/service-account.name': account } },
    type,
  });

  describe('a Secret for the token of a service account', () => {
    it('is filled with a token that works', async () => {
      const namespace = await world().namespace();
      const secrets = pathOf('v1', 'secrets', namespace);
      const account = await admin().create(pathOf('v1', 'serviceaccounts', namespace), { metadata: { name: 'robot' } });

      await admin().create(secrets, tokenSecret('robot-token', 'robot'));
      const { body } = await until('the Secret to be filled', async () => {
        const answer = await admin().get(`${secrets}/robot-token`);
        return answer.body.data?.['token'] !== undefined && answer;
      });
      const token = Buffer.from(body.data['token'] ?? '', 'base64').toString('utf8');
      const who = await world()
        .client(token)
        .create(whoami, { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });

      expect(Object.keys(body.data).sort()).toEqual(['ca.crt', 'namespace', 'token']);
      expect(Buffer.from(body.data['namespace'] ?? '', 'base64').toString('utf8')).toBe(namespace);
      expect(Buffer.from(body.data['ca.crt'] ?? '', 'base64').toString('utf8')).toContain('BEGIN CERTIFICATE');
      expect(body.metadata.annotations).toEqual({
        'kubernetes.io/service-account.name': 'robot',
        'kubernetes.io/service-account.uid': account.body.metadata.uid,
      });
      expect(who.body.status).toMatchObject({
        userInfo: {
          username: `system:serviceaccount:${namespace}:robot`,
          groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
        },
      });
    });

    it('goes where there is no such account', async () => {
      const namespace = await world().namespace();
      const secrets = pathOf('v1', 'secrets', namespace);

      const created = await admin().create(secrets, tokenSecret('lost', 'ghost'));

      expect(created.code).toBe(201);
      await until('the Secret to go', async () => (await admin().get(`${secrets}/lost`)).code === 404);
    });

    it('goes with its account', async () => {
      const namespace = await world().namespace();
      const secrets = pathOf('v1', 'secrets', namespace);
      const accounts = pathOf('v1', 'serviceaccounts', namespace);
      await admin().create(accounts, { metadata: { name: 'robot' } });
      await admin().create(secrets, tokenSecret('robot-token', 'robot'));
      await until('the Secret to be filled', async () => {
        return (await admin().get(`${secrets}/robot-token`)).body.data?.['token'] !== undefined;
      });

      await admin().delete(`${accounts}/robot`);

      await until('the Secret to go', async () => (await admin().get(`${secrets}/robot-token`)).code === 404);
    });

    it('must name its account', async () => {
      const namespace = await world().namespace();

      const { code, body } = await admin().create(pathOf('v1', 'secrets', namespace), {
        metadata: { name: 'x' },
        type,
      });

      expect([code, body.message]).toEqual([
        422,
        'Secret "x" is invalid: metadata.annotations[kubernetes.io/service-account.name]: Required value',
      ]);
    });
  });

  describe('a namespace', () => {
    it('is given a service account called default', async () => {
      const path = pathOf('v1', 'serviceaccounts', await world().namespace(), 'default');

      await until('the default account', async () => (await admin().get(path)).code === 200);
    });

    it('is given the certificate of the cluster', async () => {
      const path = pathOf('v1', 'configmaps', await world().namespace(), 'kube-root-ca.crt');

      const { body } = await until('the certificate', async () => {
        const answer = await admin().get(path);
        return answer.code === 200 && answer;
      });

      expect(body.data['ca.crt']).toContain('BEGIN CERTIFICATE');
    });
  });
}
