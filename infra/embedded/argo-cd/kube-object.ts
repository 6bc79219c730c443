export type Fields = Readonly<Record<string, unknown>>;

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly unknown[];
  readonly [field: string]: unknown;
}

/** Any object of Kubernetes, as it stands in Git or in a cluster. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export function gvkOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): GroupVersionKind {
  const slash = apiVersion.indexOf('/');
  return slash === -1
    ? { group: '', version: apiVersion, kind }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind };
}

/** Names an object within one cluster, whatever version it was read in. */
export function keyOf(object: KubeObject): string {
  return [gvkOf(object).group, object.kind, object.metadata.namespace ?? '', object.metadata.name].join('/');
}

export function annotationOf(object: KubeObject | undefined, name: string): string | undefined {
  return object?.metadata.annotations?.[name];
}

/** The options of a comma-separated annotation. */
function optionsOf(object: KubeObject | undefined, annotation: string): readonly string[] {
  return (annotationOf(object, annotation) ?? '').split(',').map((option) => option.trim());
}

export function hasOption(object: KubeObject | undefined, annotation: string, option: string): boolean {
  return optionsOf(object, annotation).includes(option);
}

/** `Prune` of `Prune=false`: the value after the equals sign. */
export function optionValue(object: KubeObject | undefined, annotation: string, option: string): string | undefined {
  const found = optionsOf(object, annotation).find((one) => one.startsWith(`${option}=`));
  return found?.slice(option.length + 1);
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of field names; undefined where the way ends early. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((here, name) => (isFields(here) ? here[name] : undefined), value);
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

/** Whether two JSON values say the same, whatever the order of their fields. An absent field and undefined are one. */
export function sameJson(left: unknown, right: unknown): boolean {
  return stableJson(left) === stableJson(right);
}

export function stableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_name, inner: unknown) =>
      isFields(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
        : inner,
    ) ?? 'null'
  );
}

/** The JSON merge patch that makes `to` of `from`; undefined where there is nothing to do. */
export function mergePatch(from: unknown, to: unknown): unknown {
  if (!isFields(from) || !isFields(to)) return sameJson(from, to) ? undefined : to;
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(from)) if (from[name] !== undefined && to[name] === undefined) patch[name] = null;
  for (const [name, value] of Object.entries(to)) {
    if (value === undefined) continue;
    const inner = mergePatch(from[name], value);
    if (inner !== undefined) patch[name] = inner;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
