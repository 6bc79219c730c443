import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import { alice, eventually, grantIn } from './rbac-grants.ts';

const authorization = 'authorization.k8s.io/v1';
const reviews = pathOf(authorization, 'subjectaccessreviews');
const ownReviews = pathOf(authorization, 'selfsubjectaccessreviews');
const ownRules = pathOf(authorization, 'selfsubjectrulesreviews');
const whoami = pathOf('authentication.k8s.io/v1', 'selfsubjectreviews');

function review(spec: unknown, kind = 'SubjectAccessReview') {
  return { apiVersion: authorization, kind, spec };
}

export function describeRbacReviews(world: () => ApiWorld): void {
  const admin = () => world().client();
  const asAlice = () => world().client('alice-token');
  let namespace: string;
  let role: string;
  const getMaps = () => ({ namespace, verb: 'get', resource: 'configmaps' });

  beforeAll(async () => {
    namespace = await world().namespace();
    role = await grantIn(world(), namespace, alice, {
      apiGroups: [''],
      resources: ['configmaps'],
      verbs: ['get', 'list'],
    });
    await eventually(200, () => asAlice().list(pathOf('v1', 'configmaps', namespace)));
  });

  describe('a SubjectAccessReview', () => {
    it('tells what somebody may do, and by which binding', async () => {
      const { code, body } = await admin().create(reviews, review({ user: 'alice', resourceAttributes: getMaps() }));

      expect([code, body.kind]).toEqual([201, 'SubjectAccessReview']);
      expect(body.spec).toEqual({ user: 'alice', resourceAttributes: getMaps() });
      expect(body.status).toEqual({
        allowed: true,
        reason: `RBAC: allowed by RoleBinding "${role}/${namespace}" of Role "${role}" to User "alice"`,
      });
    });

    it.each([
      ['another verb', () => ({ user: 'alice', resourceAttributes: { ...getMaps(), verb: 'delete' } })],
      ['another user', () => ({ user: 'somebody', resourceAttributes: getMaps() })],
      ['the whole cluster', () => ({ user: 'alice', resourceAttributes: { ...getMaps(), namespace: '' } })],
      ['another group', () => ({ user: 'alice', resourceAttributes: { ...getMaps(), group: 'apps' } })],
      ['a subresource', () => ({ user: 'alice', resourceAttributes: { ...getMaps(), subresource: 'status' } })],
      ['a path', () => ({ user: 'alice', nonResourceAttributes: { path: '/metrics', verb: 'get' } })],
    ])('tells what somebody may not do: %s', async (_what, spec) => {
      const { code, body } = await admin().create(reviews, review(spec()));

      expect([code, body.status]).toEqual([201, { allowed: false }]);
    });

    it('knows groups', async () => {
      const masters = {
        user: 'x',
        groups: ['system:masters'],
        resourceAttributes: { verb: 'delete', resource: 'nodes' },
      };
      const anyone = {
        user: 'x',
        groups: ['system:authenticated'],
        nonResourceAttributes: { path: '/api', verb: 'get' },
      };

      const strong = await admin().create(reviews, review(masters));
      const usual = await admin().create(reviews, review(anyone));

      expect(strong.body.status).toEqual({ allowed: true });
      expect(usual.body.status).toEqual({
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
      });
    });

    it.each([
      [
        'what',
        { user: 'alice' },
        'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ],
      [
        'who',
        { resourceAttributes: { verb: 'get', resource: 'pods' } },
        'spec.user: Invalid value: "": at least one of user or group must be specified',
      ],
    ])('must say %s', async (_what, spec, problem) => {
      const { code, body } = await admin().create(reviews, review(spec));

      expect(code).toBe(422);
      expect(body.message).toBe(`.authorization.k8s.io "" is invalid: ${problem}`);
    });

    it('is not for everybody', async () => {
      const { code, body } = await asAlice().create(reviews, review({ user: 'bob', resourceAttributes: getMaps() }));

      expect([code, body.message]).toEqual([
        403,
        'subjectaccessreviews.authorization.k8s.io is forbidden: User "alice" cannot create resource "subjectaccessreviews" in API group "authorization.k8s.io" at the cluster scope',
      ]);
    });
  });

  describe('a LocalSubjectAccessReview', () => {
    const local = () => pathOf(authorization, 'localsubjectaccessreviews', namespace);
    const kind = 'LocalSubjectAccessReview';

    it('tells the same about its namespace', async () => {
      const asked = review({ user: 'alice', resourceAttributes: getMaps() }, kind);

      const { code, body } = await admin().create(local(), { ...asked, metadata: { namespace } });

      expect([code, body.kind, body.status]).toMatchObject([201, kind, { allowed: true }]);
    });

    it('does not speak of another', async () => {
      const asked = review({ user: 'alice', resourceAttributes: { ...getMaps(), namespace: 'other' } }, kind);

      const { code, body } = await admin().create(local(), { ...asked, metadata: { namespace } });

      expect([code, body.message]).toEqual([
        422,
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
      ]);
    });
  });

  describe('about oneself', () => {
    it('everybody may ask what they may do', async () => {
      const kind = 'SelfSubjectAccessReview';
      const may = await asAlice().create(ownReviews, review({ resourceAttributes: getMaps() }, kind));
      const mayNot = await asAlice().create(
        ownReviews,
        review({ resourceAttributes: { ...getMaps(), verb: 'create' } }, kind),
      );

      expect([may.code, may.body.status]).toMatchObject([201, { allowed: true }]);
      expect([mayNot.code, mayNot.body.status]).toEqual([201, { allowed: false }]);
    });

    it('everybody may ask for all their rules in a namespace', async () => {
      const { code, body } = await asAlice().create(ownRules, review({ namespace }, 'SelfSubjectRulesReview'));

      const status = body.status as { resourceRules: unknown[]; nonResourceRules: { nonResourceURLs: string[] }[] };
      expect(code).toBe(201);
      expect(status).toMatchObject({ incomplete: false });
      expect(status.resourceRules).toContainEqual({
        verbs: ['get', 'list'],
        apiGroups: [''],
        resources: ['configmaps'],
      });
      expect(status.resourceRules).toContainEqual({
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      });
      expect(status.nonResourceRules.flatMap(({ nonResourceURLs }) => nonResourceURLs)).toContain('/healthz');
    });

    it('the namespace of the rules must be named', async () => {
      const { code, body } = await asAlice().create(ownRules, review({}, 'SelfSubjectRulesReview'));

      expect([code, body.message]).toEqual([400, 'no namespace on request']);
    });

    it('everybody may ask who they are', async () => {
      const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

      const { code, body } = await world().client('bob-token').create(whoami, asked);

      expect([code, body.kind]).toEqual([201, 'SelfSubjectReview']);
      expect(body.status).toMatchObject({
        userInfo: { username: 'bob', groups: ['tenants', 'operators', 'system:authenticated'] },
      });
    });
  });
}
