import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiWorld, freshName } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { until } from '../../../support/until.ts';
import { widgetSketch } from './sample-objects.ts';

const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json' };

interface Resource {
  readonly name: string;
  readonly verbs: readonly string[];
}

function sorted(verbs: readonly string[] | undefined): string[] {
  return [...(verbs ?? [])].sort();
}

const everyVerb = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

export function describeDiscoveryGroups(world: () => ApiWorld): void {
  describe('discovery', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await world().install({ ...widgetSketch, shortNames: ['wd'], categories: ['all'] });
    });

    it('says which Kubernetes it is', async () => {
      const { code, body } = await world().client().get('/version');

      expect(code).toBe(200);
      expect(body).toMatchObject({ major: '1', minor: expect.stringMatching(/^\d+/) });
      expect(body['gitVersion']).toMatch(/^v1\.36\./);
    });

    it('names the version of the core', async () => {
      const { body } = await world().client().get('/api');

      expect(body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    });

    it('names the groups, also those of CRDs', async () => {
      const { body } = await world().client().get('/apis');

      expect(body).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' });
      const groups = new Map(
        (body['groups'] as { name: string; preferredVersion: object }[]).map((group) => [group.name, group]),
      );
      expect([...groups.keys()]).toEqual(
        expect.arrayContaining([
          'apps',
          'rbac.authorization.k8s.io',
          'authorization.k8s.io',
          'apiextensions.k8s.io',
          'admissionregistration.k8s.io',
        ]),
      );
      expect(groups.get(widgets.group)?.preferredVersion).toEqual({ groupVersion: widgets.apiVersion, version: 'v1' });
    });

    it('describes a group', async () => {
      const { body } = await world().client().get(`/apis/${widgets.group}`);

      const version = { groupVersion: widgets.apiVersion, version: 'v1' };
      expect(body).toMatchObject({
        kind: 'APIGroup',
        apiVersion: 'v1',
        name: widgets.group,
        versions: [version],
        preferredVersion: version,
      });
    });

    it('describes the resources of a group', async () => {
      const { body } = await world().client().get(`/apis/${widgets.apiVersion}`);

      expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: widgets.apiVersion });
      const [plain, status] = body['resources'] as Resource[];
      expect(plain).toMatchObject({
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        shortNames: ['wd'],
        categories: ['all'],
      });
      expect(sorted(plain?.verbs)).toEqual(everyVerb);
      expect(status).toMatchObject({ name: 'widgets/status', namespaced: true, kind: 'Widget' });
      expect(sorted(status?.verbs)).toEqual(['get', 'patch', 'update']);
    });

    it.each([
      ['/api/v1', 'configmaps', { singularName: 'configmap', namespaced: true, kind: 'ConfigMap', shortNames: ['cm'] }],
      [
        '/api/v1',
        'namespaces',
        { singularName: 'namespace', namespaced: false, kind: 'Namespace', shortNames: ['ns'] },
      ],
      ['/api/v1', 'secrets', { singularName: 'secret', namespaced: true, kind: 'Secret' }],
      ['/api/v1', 'serviceaccounts', { namespaced: true, kind: 'ServiceAccount', shortNames: ['sa'] }],
      ['/api/v1', 'services', { namespaced: true, kind: 'Service', shortNames: ['svc'] }],
      ['/api/v1', 'serviceaccounts/token', { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }],
      ['/apis/apps/v1', 'deployments', { kind: 'Deployment', shortNames: ['deploy'], categories: ['all'] }],
      ['/apis/apps/v1', 'deployments/scale', { group: 'autoscaling', version: 'v1', kind: 'Scale' }],
      [
        '/apis/apiextensions.k8s.io/v1',
        'customresourcedefinitions',
        { namespaced: false, shortNames: ['crd', 'crds'] },
      ],
    ])('in %s knows %s', async (path, name, described) => {
      const { body } = await world().client().get(path);

      expect((body['resources'] as Resource[]).find((resource) => resource.name === name)).toMatchObject(described);
    });

    it('describes everything at once to who asks so', async () => {
      const client = world().client();

      const groups = await client.get('/apis', {}, aggregated);
      const core = await client.get('/api', {}, aggregated);

      expect(groups.headers['content-type']).toBe(
        'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      );
      expect(groups.body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
      expect(groups.body.items.find(({ metadata }) => metadata.name === widgets.group)).toMatchObject({
        versions: [
          {
            version: 'v1',
            freshness: 'Current',
            resources: [
              {
                resource: 'widgets',
                responseKind: { group: widgets.group, version: 'v1', kind: 'Widget' },
                scope: 'Namespaced',
                singularResource: 'widget',
                shortNames: ['wd'],
                categories: ['all'],
                subresources: [{ subresource: 'status' }],
              },
            ],
          },
        ],
      });
      const [{ versions }] = core.body.items as unknown as [{ versions: { resources: { resource: string }[] }[] }];
      expect(versions[0]?.resources.map(({ resource }) => resource)).toEqual(
        expect.arrayContaining(['configmaps', 'namespaces', 'secrets', 'serviceaccounts', 'services', 'events']),
      );
    });

    it('forgets a CRD that is deleted', async () => {
      const client = world().client();
      const passing = await world().install({ kind: 'Passing' });

      await client.delete(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${passing.name}`);

      await until('the group to be forgotten', async () => {
        const answers = await Promise.all([client.get(`/apis/${passing.group}`), client.get(passing.path())]);
        return answers.every(({ code }) => code === 404);
      });
      const { body } = await client.get('/apis', {}, aggregated);
      expect(body.items.map(({ metadata }) => metadata.name)).not.toContain(passing.group);
    });

    it('does not know a group that nobody registered', async () => {
      const { code } = await world()
        .client()
        .get(`/apis/${freshName('nobody')}.example.com/v1`);

      expect(code).toBe(404);
    });
  });
}
