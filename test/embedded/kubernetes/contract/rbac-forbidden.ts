import { beforeAll, describe, expect, it } from 'vitest';
import type { RawRequest } from '../../../support/api-client.ts';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';

type Asked = Pick<RawRequest, 'method' | 'path' | 'query' | 'body' | 'headers'>;

const gitops = 'managed-gitops.redhat.com';
const deployments = (namespace: string, rest = '') =>
  `/apis/${gitops}/v1alpha1/namespaces/${namespace}/gitopsdeployments${rest}`;
const merge = { 'content-type': 'application/merge-patch+json' };
const maps = (namespace: string, name?: string) => pathOf('v1', 'configmaps', namespace, name);

/** A request, and what follows `User "alice" cannot `; `NS` is the namespace of the suite. */
const cases: readonly (readonly [string, (namespace: string) => Asked, string, string])[] = [
  [
    'get',
    (ns) => ({ method: 'GET', path: maps(ns, 'x') }),
    'configmaps "x"',
    'get resource "configmaps" in API group "" in the namespace "NS"',
  ],
  [
    'list',
    (ns) => ({ method: 'GET', path: maps(ns) }),
    'configmaps',
    'list resource "configmaps" in API group "" in the namespace "NS"',
  ],
  [
    'watch',
    (ns) => ({ method: 'GET', path: maps(ns), query: { watch: true } }),
    'configmaps',
    'watch resource "configmaps" in API group "" in the namespace "NS"',
  ],
  [
    'list everywhere',
    () => ({ method: 'GET', path: '/api/v1/configmaps' }),
    'configmaps',
    'list resource "configmaps" in API group "" at the cluster scope',
  ],
  [
    'create',
    (ns) => ({ method: 'POST', path: maps(ns), body: { metadata: { name: 'x' } } }),
    'configmaps',
    'create resource "configmaps" in API group "" in the namespace "NS"',
  ],
  [
    'update',
    (ns) => ({ method: 'PUT', path: maps(ns, 'x'), body: {} }),
    'configmaps "x"',
    'update resource "configmaps" in API group "" in the namespace "NS"',
  ],
  [
    'patch',
    (ns) => ({ method: 'PATCH', path: maps(ns, 'x'), headers: merge, body: {} }),
    'configmaps "x"',
    'patch resource "configmaps" in API group "" in the namespace "NS"',
  ],
  [
    'delete',
    (ns) => ({ method: 'DELETE', path: maps(ns, 'x') }),
    'configmaps "x"',
    'delete resource "configmaps" in API group "" in the namespace "NS"',
  ],
  [
    'delete all of',
    (ns) => ({ method: 'DELETE', path: maps(ns) }),
    'configmaps',
    'deletecollection resource "configmaps" in API group "" in the namespace "NS"',
  ],
  [
    'list a kind of cluster scope',
    () => ({ method: 'GET', path: '/api/v1/namespaces' }),
    'namespaces',
    'list resource "namespaces" in API group "" at the cluster scope',
  ],
  [
    'get a namespace',
    (ns) => ({ method: 'GET', path: `/api/v1/namespaces/${ns}` }),
    'namespaces "NS"',
    'get resource "namespaces" in API group "" in the namespace "NS"',
  ],
  [
    'get a node',
    () => ({ method: 'GET', path: '/api/v1/nodes/n1' }),
    'nodes "n1"',
    'get resource "nodes" in API group "" at the cluster scope',
  ],
  [
    'get a kind of ours',
    (ns) => ({ method: 'GET', path: deployments(ns, '/box') }),
    `gitopsdeployments.${gitops} "box"`,
    `get resource "gitopsdeployments" in API group "${gitops}" in the namespace "NS"`,
  ],
  [
    'patch a status',
    (ns) => ({ method: 'PATCH', path: deployments(ns, '/box/status'), headers: merge, body: {} }),
    `gitopsdeployments.${gitops} "box"`,
    `patch resource "gitopsdeployments/status" in API group "${gitops}" in the namespace "NS"`,
  ],
  [
    'ask for a token',
    (ns) => ({ method: 'POST', path: pathOf('v1', 'serviceaccounts', ns, 'robot', 'token'), body: {} }),
    'serviceaccounts "robot"',
    'create resource "serviceaccounts/token" in API group "" in the namespace "NS"',
  ],
  [
    'list what does not exist',
    (ns) => ({ method: 'GET', path: pathOf('v1', 'widgets', ns) }),
    'widgets',
    'list resource "widgets" in API group "" in the namespace "NS"',
  ],
];

export function describeRbacForbidden(world: () => ApiWorld): void {
  let namespace: string;

  beforeAll(async () => {
    namespace = await world().namespace();
  });

  describe('somebody without a role', () => {
    it.each(cases)('may not %s, and is told why', async (_what, asked, about, cannot) => {
      const { code, body } = await world().client('alice-token').request(asked(namespace));

      expect(body).toMatchObject({
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'Forbidden',
        code: 403,
      });
      expect([code, body.message]).toEqual([
        403,
        `${about} is forbidden: User "alice" cannot ${cannot}`.replaceAll('NS', namespace),
      ]);
    });

    it('is told the object in the details', async () => {
      const { body } = await world().client('alice-token').get(deployments(namespace, '/box'));

      expect(body.details).toEqual({ name: 'box', group: gitops, kind: 'gitopsdeployments' });
    });

    it.each(['/metrics', '/nowhere', '/logs'])('may not get the path %s', async (path) => {
      const { code, body } = await world().client('alice-token').get(path);

      expect([code, body.reason, body.message]).toEqual([
        403,
        'Forbidden',
        `forbidden: User "alice" cannot get path "${path}"`,
      ]);
    });

    it.each(['/api', '/apis', '/version', '/healthz', '/readyz', '/livez', '/openapi/v3', '/apis/apps/v1'])(
      'may get the path %s',
      async (path) => {
        expect((await world().client('alice-token').get(path)).code).toBe(200);
      },
    );
  });

  describe('somebody unknown', () => {
    it('with a wrong token is refused', async () => {
      const { code, body } = await world().client('wrong-token').get(maps(namespace));

      expect(code).toBe(401);
      expect(body).toMatchObject({
        kind: 'Status',
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
    });

    it('without a token is anonymous', async () => {
      const { code, body } = await world().client(null).get(maps(namespace));

      expect([code, body.message]).toEqual([
        403,
        `configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
      ]);
    });

    it('may see that the server lives and which version it is, and no more', async () => {
      const anonymous = world().client(null);

      const codes = await Promise.all(
        ['/healthz', '/version', '/api', '/openapi/v2'].map(async (path) => (await anonymous.get(path)).code),
      );

      expect(codes).toEqual([200, 200, 403, 403]);
    });
  });

  describe('a member of system:masters', () => {
    it('may do everything, also what does not exist', async () => {
      const path = await world().client().get('/nowhere');
      const resource = await world()
        .client()
        .get(pathOf('v1', 'widgets', namespace));

      expect(path.code).toBe(404);
      expect([resource.code, resource.body.message]).toEqual([404, 'the server could not find the requested resource']);
    });
  });
}
