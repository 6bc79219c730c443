import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../support/api-client.ts';
import { type ApiWorld, freshName, pathOf } from '../../../support/api-world.ts';
import { eventually, grantEverywhere, grantIn, newcomer } from './rbac-grants.ts';

const whoami = pathOf('authentication.k8s.io/v1', 'selfsubjectreviews');

function asked(client: ApiClient, headers: Readonly<Record<string, string>>) {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  return client.request({ method: 'POST', path: whoami, headers, body });
}

export function describeRbacImpersonation(world: () => ApiWorld): void {
  const admin = () => world().client();

  describe('impersonation', () => {
    it.each([
      ['a user', { 'impersonate-user': 'carol' }, { username: 'carol', groups: ['system:authenticated'] }],
      [
        'a user in a group',
        { 'impersonate-user': 'carol', 'impersonate-group': 'developers' },
        { username: 'carol', groups: ['developers', 'system:authenticated'] },
      ],
      [
        'a service account, with the groups it has',
        { 'impersonate-user': 'system:serviceaccount:shop:robot' },
        {
          username: 'system:serviceaccount:shop:robot',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
        },
      ],
      [
        'a user with everything',
        { 'impersonate-user': 'carol', 'impersonate-uid': 'u-1', 'impersonate-extra-scopes': 'view' },
        { username: 'carol', uid: 'u-1', groups: ['system:authenticated'], extra: { scopes: ['view'] } },
      ],
    ])('makes an admin %s', async (_what, headers, userInfo) => {
      const { code, body } = await asked(admin(), headers);

      expect([code, body.status]).toEqual([201, { userInfo }]);
    });

    it('takes the rights of the one who asks away', async () => {
      const namespace = await world().namespace();

      const path = pathOf('v1', 'configmaps', namespace);
      const { code, body } = await admin().get(path, {}, { 'impersonate-user': 'carol' });

      expect([code, body.message]).toEqual([
        403,
        `configmaps is forbidden: User "carol" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
      ]);
    });

    it('gives the rights of the one who is meant', async () => {
      const namespace = await world().namespace();
      const group = freshName('readers');
      const rule = { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] };
      await grantIn(world(), namespace, { kind: 'Group', name: group }, rule);

      const headers = { 'impersonate-user': 'carol', 'impersonate-group': group };
      await eventually(200, () => admin().get(pathOf('v1', 'configmaps', namespace), {}, headers));
    });

    it('is not for everybody', async () => {
      const { client, user } = await newcomer(world());

      const { code, body } = await asked(client, { 'impersonate-user': 'carol' });

      expect([code, body.reason]).toEqual([403, 'Forbidden']);
      expect(body.message).toContain(`User "${user}" cannot impersonate`);
    });

    it('may be granted for one user, and is then refused for others and for groups', async () => {
      const { client, subject, user } = await newcomer(world());
      const rule = { apiGroups: [''], resources: ['users'], resourceNames: ['carol'], verbs: ['impersonate'] };
      await grantEverywhere(world(), subject, rule);

      const carol = await eventually(201, () => asked(client, { 'impersonate-user': 'carol' }));
      const dave = await asked(client, { 'impersonate-user': 'dave' });
      const masters = await asked(client, { 'impersonate-user': 'carol', 'impersonate-group': 'system:masters' });

      expect(carol.body.status).toMatchObject({ userInfo: { username: 'carol' } });
      expect([dave.code, dave.body.message]).toEqual([
        403,
        `users "dave" is forbidden: User "${user}" cannot impersonate resource "users" in API group "" at the cluster scope`,
      ]);
      expect([masters.code, masters.body.message]).toEqual([
        403,
        `groups "system:masters" is forbidden: User "${user}" cannot impersonate resource "groups" in API group "" at the cluster scope`,
      ]);
    });

    it('needs a user', async () => {
      const { code, body } = await asked(admin(), { 'impersonate-group': 'system:masters' });

      expect([code, body.reason]).toEqual([400, 'BadRequest']);
      expect(body.message).toContain('without impersonating a user');
    });
  });
}
