import type { ApiObject } from '../api-object.ts';
import type { Schema } from '../schema/schema.ts';
import { type PrinterColumn, type ScalePaths, type ServedKind, storageOf, type Verb } from './served-kind.ts';

export interface CrdNames {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface CrdSpec {
  readonly group: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly names: CrdNames;
  readonly versions: readonly CrdVersion[];
  readonly preserveUnknownFields?: boolean;
}

interface CrdCondition {
  readonly type: string;
  readonly status: string;
}

const allVerbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** What is served of a CRD once its names are accepted: each served version as a kind of its own over one storage. */
export function customKinds(crd: ApiObject): readonly ServedKind[] {
  if (!isEstablished(crd)) return [];
  const { group, names, scope, versions } = crd['spec'] as CrdSpec;
  const stored = versions.find(({ storage }) => storage);
  return versions
    .filter(({ served }) => served)
    .map((version) => ({
      group,
      version: version.name,
      kind: names.kind,
      listKind: names.listKind ?? `${names.kind}List`,
      plural: names.plural,
      singular: names.singular ?? names.kind.toLowerCase(),
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      namespaced: scope === 'Namespaced',
      verbs: allVerbs,
      storage: storageOf(group, names.plural),
      storedAs: `${group}/${stored?.name}`,
      isCustom: true,
      schema: version.schema?.openAPIV3Schema ?? {},
      storedSchema: stored?.schema?.openAPIV3Schema ?? {},
      hasStatus: version.subresources?.status !== undefined,
      countsGenerations: true,
      ...(version.subresources?.scale === undefined ? {} : { scale: version.subresources.scale }),
      subresources: Object.keys(version.subresources ?? {}).filter((name) => name === 'status' || name === 'scale'),
      missingSubresources: [],
      ...(version.deprecated === true ? { deprecation: deprecationOf(version, crd) } : {}),
      columns: version.additionalPrinterColumns ?? [],
      selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
      rules: {},
    }));
}

function isEstablished(crd: ApiObject): boolean {
  const { conditions } = (crd['status'] ?? {}) as { readonly conditions?: readonly CrdCondition[] | null };
  return (conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');
}

function deprecationOf({ name, deprecationWarning }: CrdVersion, crd: ApiObject): string {
  const { group, names, versions } = crd['spec'] as CrdSpec;
  if (deprecationWarning !== undefined) return deprecationWarning;
  const better = versions
    .filter(({ served, deprecated }) => served && deprecated !== true)
    .map((version) => version.name)
    .filter((other) => maturityOf(other) > maturityOf(name))
    .sort((one, other) => maturityOf(other) - maturityOf(one))[0];
  const instead = better === undefined ? '' : `; use ${group}/${better} ${names.kind}`;
  return `${group}/${name} ${names.kind} is deprecated${instead}`;
}

/** v2 before v1, v1 before v1beta2, that before v1alpha1. */
function maturityOf(version: string): number {
  const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  const level = stage === undefined ? 2 : stage === 'beta' ? 1 : 0;
  return level * 1e6 + Number(major) * 1e3 + Number(minor);
}
