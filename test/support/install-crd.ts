import { randomBytes } from 'node:crypto';
import type { ApiClient } from './api-client.ts';
import { until } from './until.ts';

/** A CustomResourceDefinition in short: what is left out is chosen so that any object is accepted. */
export interface CrdSketch {
  readonly kind: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  /** openAPIV3Schema; without one every field is kept as it is. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** With the status subresource. */
  readonly status?: boolean;
  readonly scale?: Readonly<Record<string, string>>;
  readonly additionalPrinterColumns?: readonly Readonly<Record<string, unknown>>[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** In place of the one version v1 that the fields above describe. */
  readonly versions?: readonly Readonly<Record<string, unknown>>[];
  /** Further fields of the spec, such as conversion or preserveUnknownFields. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

export interface InstalledCrd {
  /** `<plural>.<group>` */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly apiVersion: string;
  /** Of the collection, of one object, or of one of its subresources; without a namespace: across all, or cluster scoped. */
  path(namespace?: string, name?: string, subresource?: string): string;
  /** An object of this kind. */
  object(name: string, fields?: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The manifest, under a group that no other test uses. */
export function sketchCrd(sketch: CrdSketch): { manifest: Record<string, unknown>; installed: InstalledCrd } {
  const group = `${sketch.kind.toLowerCase()}-${randomBytes(4).toString('hex')}.example.com`;
  const singular = sketch.kind.toLowerCase();
  const plural = `${singular}s`;
  const subresources = { ...(sketch.status ? { status: {} } : {}), ...(sketch.scale ? { scale: sketch.scale } : {}) };
  const versions = sketch.versions ?? [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: sketch.schema ?? anything },
      ...(Object.keys(subresources).length === 0 ? {} : { subresources }),
      ...(sketch.additionalPrinterColumns ? { additionalPrinterColumns: sketch.additionalPrinterColumns } : {}),
      ...(sketch.selectableFields ? { selectableFields: sketch.selectableFields } : {}),
    },
  ];
  const version = String(versions[0]?.['name']);
  const { shortNames = [], categories = [] } = sketch;
  const manifest = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: sketch.scope ?? 'Namespaced',
      names: { kind: sketch.kind, listKind: `${sketch.kind}List`, singular, plural, shortNames, categories },
      versions,
      ...sketch.spec,
    },
  };
  const apiVersion = `${group}/${version}`;
  const installed: InstalledCrd = {
    name: manifest.metadata.name,
    group,
    version,
    kind: sketch.kind,
    plural,
    apiVersion,
    path: (namespace, name, subresource) =>
      [`/apis/${apiVersion}`, namespace && `namespaces/${namespace}`, plural, name, subresource]
        .filter((part) => part !== undefined && part !== '')
        .join('/'),
    object: (name, fields = {}) => {
      const { metadata, ...others } = fields;
      return { apiVersion, kind: sketch.kind, metadata: { name, ...(metadata as object | undefined) }, ...others };
    },
  };
  return { manifest, installed };
}

/** Creates the CRD and waits until its objects can be written, listed and discovered. */
export async function installCrd(client: ApiClient, sketch: CrdSketch): Promise<InstalledCrd> {
  const { manifest, installed } = sketchCrd(sketch);
  const created = await client.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', manifest);
  if (created.code !== 201) throw new Error(`the CRD ${installed.name} was refused: ${created.text}`);
  await until(`${installed.name} to be served`, async () => {
    // From the cache: this answers only once the watch cache of the new resource is filled, too.
    const { code } = await client.list(installed.path(), { resourceVersion: '0' });
    if (code !== 200) return false;
    const discovered = await client.get(`/apis/${installed.apiVersion}`);
    const resources = discovered.body['resources'] as readonly { readonly name: string }[] | undefined;
    return resources?.some(({ name }) => name === installed.plural);
  });
  return installed;
}
