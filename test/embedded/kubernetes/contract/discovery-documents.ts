import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiWorld } from '../../../support/api-world.ts';
import type { InstalledCrd } from '../../../support/install-crd.ts';
import { until } from '../../../support/until.ts';
import { sharedCrd, widgetSketch } from './sample-objects.ts';

interface SchemaNode {
  readonly description?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

export function describeDiscoveryDocuments(world: () => ApiWorld): void {
  describe.concurrent('OpenAPI', () => {
    let widgets: InstalledCrd;
    beforeAll(async () => {
      widgets = await sharedCrd(world(), widgetSketch);
    });

    function schemaOf(schemas: Readonly<Record<string, SchemaNode>>): SchemaNode | undefined {
      return Object.values(schemas).find((schema) =>
        schema['x-kubernetes-group-version-kind']?.some(
          ({ group, kind }) => group === widgets.group && kind === 'Widget',
        ),
      );
    }

    it('version 3 lists a document for each group and version', async () => {
      const paths = await until('the document of the CRD to be listed', async () => {
        const { body } = await world().client().get('/openapi/v3');
        const listed = body['paths'] as Record<string, { serverRelativeURL: string }>;
        return listed[`apis/${widgets.apiVersion}`] !== undefined && listed;
      });

      expect(paths['api/v1']?.serverRelativeURL).toMatch(/^\/openapi\/v3\/api\/v1\?hash=./);
      expect(paths[`apis/${widgets.apiVersion}`]?.serverRelativeURL).toContain(
        `/openapi/v3/apis/${widgets.apiVersion}?`,
      );
    });

    it('version 3 describes the fields of a CRD and where it is served', async () => {
      const { body } = await until('the document of the CRD', async () => {
        const answer = await world().client().get(`/openapi/v3/apis/${widgets.apiVersion}`);
        return answer.code === 200 && answer;
      });

      expect(body['openapi']).toMatch(/^3\.0/);
      const { schemas } = body['components'] as { schemas: Record<string, SchemaNode> };
      const schema = schemaOf(schemas);
      expect(schema?.description).toBe('A thing that tests are made of.');
      expect(schema?.properties?.['spec']?.properties?.['size']).toEqual({
        type: 'integer',
        description: 'How big it is.',
      });
      expect(Object.keys(body['paths'] as object)).toEqual(
        expect.arrayContaining([
          widgets.path('{namespace}'),
          widgets.path('{namespace}', '{name}'),
          widgets.path('{namespace}', '{name}', 'status'),
        ]),
      );
    });

    it('version 3 describes what a client may say when it writes', async () => {
      const { body } = await world().client().get('/openapi/v3/api/v1');

      const paths = body['paths'] as Record<string, Record<string, { parameters?: { name: string }[] }>>;
      const { patch } = paths['/api/v1/namespaces/{namespace}/configmaps/{name}'] ?? {};
      expect(patch?.parameters?.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['dryRun', 'fieldManager', 'fieldValidation', 'force']),
      );
      const { schemas } = body['components'] as { schemas: Record<string, SchemaNode> };
      expect(Object.keys(schemas['io.k8s.api.core.v1.ConfigMap']?.properties ?? {}).sort()).toEqual([
        'apiVersion',
        'binaryData',
        'data',
        'immutable',
        'kind',
        'metadata',
      ]);
    });

    it('version 2 has everything in one document', async () => {
      const definitions = await until('the CRD to be in the document', async () => {
        const { body } = await world().client().get('/openapi/v2');
        expect(body['swagger']).toBe('2.0');
        const found = body['definitions'] as Record<string, SchemaNode>;
        return schemaOf(found) !== undefined && found;
      });

      expect(schemaOf(definitions)?.properties?.['spec']?.properties?.['size']?.description).toBe('How big it is.');
      expect(Object.keys(definitions['io.k8s.api.core.v1.ConfigMap']?.properties ?? {})).toContain('data');
    });
  });

  describe('health', () => {
    it.each(['/healthz', '/readyz', '/livez'])('is ok at %s, also for who has no name', async (path) => {
      const known = await world().client().get(path);
      const anonymous = await world().client(null).get(path);

      for (const { code, text } of [known, anonymous]) expect([code, text]).toEqual([200, 'ok']);
    });
  });
}
