import { describe, expect, it } from 'vitest';
import { createDiscovery } from '../../../../infra/embedded/kubernetes/discovery/answer-discovery.ts';
import { loadCoreSchemas } from '../../../../infra/embedded/kubernetes/kinds/load-core-schemas.ts';
import type { ServedKind } from '../../../../infra/embedded/kubernetes/kinds/served-kind.ts';
import { aKind } from '../../../support/fake-internal-api.ts';

type Document = {
  readonly paths: Record<string, Record<string, { readonly parameters?: { readonly name: string }[] }>>;
  readonly components: { readonly schemas: Record<string, Record<string, unknown>> };
};

function builtIn(apiVersion: string, kind: string, plural: string): ServedKind {
  return { ...aKind(apiVersion, kind, plural), schema: loadCoreSchemas().get(`${apiVersion}/${kind}`) ?? {} };
}

const thing: ServedKind = {
  ...aKind('try.dev/v1', 'Try', 'tries'),
  isCustom: true,
  schema: { type: 'object', description: 'A try', properties: { spec: { type: 'object', required: ['size'] } } },
};

function documents(kinds: readonly ServedKind[]) {
  const discovery = createDiscovery({ kinds: () => kinds, address: () => '' });
  const read = (path: string) => {
    const answer = discovery.answer({ path, accept: 'application/json' });
    return JSON.parse(answer?.body ?? 'null') as unknown;
  };
  return { discovery, read };
}

/** Every reference in a document, so that none leads nowhere. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === '$ref' ? [String(item)] : references(item)));
}

describe('OpenAPI', () => {
  const kinds = [builtIn('apps/v1', 'Deployment', 'deployments'), builtIn('v1', 'Pod', 'pods'), thing];

  it('has an index whose addresses carry the hash of each document', () => {
    const { read } = documents(kinds);

    const { paths } = read('/openapi/v3') as { paths: Record<string, { serverRelativeURL: string }> };

    expect(Object.keys(paths)).toEqual(['api/v1', 'apis/apps/v1', 'apis/try.dev/v1']);
    expect(paths['apis/apps/v1']?.serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
  });

  it('describes a custom kind by its own schema, with the metadata that every object has', () => {
    const { components } = documents(kinds).read('/openapi/v3/apis/try.dev/v1') as Document;

    expect(components.schemas['dev.try.v1.Try']).toEqual({
      type: 'object',
      description: 'A try',
      properties: {
        spec: { type: 'object', required: ['size'] },
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      },
      'x-kubernetes-group-version-kind': [{ group: 'try.dev', kind: 'Try', version: 'v1' }],
    });
  });

  it('names the parts of a built-in kind as kubectl explain shows them, and leaves no reference hanging', () => {
    const document = documents(kinds).read('/openapi/v3/apis/apps/v1') as Document;
    const names = Object.keys(document.components.schemas);

    const spec = document.components.schemas['io.k8s.api.apps.v1.Deployment']?.['properties'] as Record<
      string,
      unknown
    >;
    expect(JSON.stringify(spec['spec'])).toContain('.DeploymentSpec"');
    for (const reference of references(document))
      expect(names).toContain(reference.replace('#/components/schemas/', ''));
  });

  it('tells that a patch may be validated, which kubectl looks for before it asks', () => {
    const { paths } = documents(kinds).read('/openapi/v3/apis/apps/v1') as Document;

    const { patch } = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'] ?? {};

    expect(patch?.parameters?.map(({ name }) => name)).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force']);
    expect(patch).toMatchObject({
      'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
    });
  });

  it('has the older form as JSON, and without definitions as protobuf, from which kubectl learns that a kind is unknown', () => {
    const { discovery, read } = documents(kinds);
    const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

    expect(Object.keys((read('/openapi/v2') as { definitions: object }).definitions)).toContain('dev.try.v1.Try');
    const answer = discovery.answer({ path: '/openapi/v2', accept: protobuf });
    expect(answer?.status).toBe(200);
    expect(answer?.headers['content-type']).toContain('protobuf');
    expect(answer?.body).not.toContain('Try');
  });

  it('describes a schema that contains itself', () => {
    const schema = { type: 'object', properties: {} as Record<string, object> } as const;
    schema.properties['inner'] = { type: 'object', properties: { again: schema } };
    const { components } = documents([{ ...thing, schema }]).read('/openapi/v3/apis/try.dev/v1') as Document;

    expect(JSON.stringify(components.schemas['dev.try.v1.Try'])).toContain(
      '"again":{"$ref":"#/components/schemas/dev.try.v1.Try"}',
    );
  });
});
