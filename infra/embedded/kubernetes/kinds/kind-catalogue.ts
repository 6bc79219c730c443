import type { ApiObject } from '../api-object.ts';
import type { StoreReader } from '../internal-api.ts';
import { customKinds } from './custom-kinds.ts';
import { apiVersionOf, type ServedKind } from './served-kind.ts';

export const crdStorage = 'customresourcedefinitions.apiextensions.k8s.io';

/** Every kind that is served now: the built-in ones, and those of the CRDs that are established. */
export class KindCatalogue {
  private readonly builtIn: readonly ServedKind[];
  private readonly custom = new Map<string, readonly ServedKind[]>();
  private current: readonly ServedKind[];
  private byPath = new Map<string, ServedKind>();
  private byKind = new Map<string, ServedKind>();
  private byStorage = new Map<string, ServedKind>();

  constructor(builtIn: readonly ServedKind[], read: StoreReader) {
    this.builtIn = builtIn;
    for (const crd of read.list(crdStorage)) this.custom.set(nameOf(crd), customKinds(crd));
    this.current = this.index();
  }

  /** The same array as long as nothing changed. */
  all(): readonly ServedKind[] {
    return this.current;
  }

  find(group: string, version: string, plural: string): ServedKind | undefined {
    return this.byPath.get(`${group}/${version}/${plural}`);
  }

  ofObject(object: { readonly apiVersion: string; readonly kind: string }): ServedKind | undefined {
    return this.byKind.get(`${object.apiVersion}/${object.kind}`);
  }

  ofStorage(storage: string): ServedKind | undefined {
    return this.byStorage.get(storage);
  }

  isBuiltIn(group: string, version: string): boolean {
    return group === '' || this.builtIn.some((kind) => kind.group === group && kind.version === version);
  }

  /** Called at once when a CRD is stored or taken out, so that who was answered finds its kind. */
  place(crd: ApiObject): void {
    this.custom.set(nameOf(crd), customKinds(crd));
    this.current = this.index();
  }

  remove(crd: ApiObject): void {
    if (this.custom.delete(nameOf(crd))) this.current = this.index();
  }

  private index(): readonly ServedKind[] {
    const all = [...this.builtIn, ...[...this.custom.values()].flat()];
    this.byPath = new Map(all.map((kind) => [`${apiVersionOf(kind)}/${kind.plural}`, kind]));
    for (const kind of all) if (kind.group === '') this.byPath.set(`/${kind.version}/${kind.plural}`, kind);
    this.byKind = new Map(all.map((kind) => [`${apiVersionOf(kind)}/${kind.kind}`, kind]));
    this.byStorage = new Map(all.toReversed().map((kind) => [kind.storage, kind]));
    return all;
  }
}

function nameOf(crd: ApiObject): string {
  return crd.metadata.name ?? '';
}
