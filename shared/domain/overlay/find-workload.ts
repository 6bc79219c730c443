import { type Fields, isFields } from '../core/fields.ts';
import { isObjectName } from '../core/object-name.ts';
import type { Base, BaseObject, Workload, WorkloadKind } from './base.ts';
import { kustomizationsIn, readKustomization } from './kustomization-file.ts';
import { instanceLabel } from './object-labels.ts';
import { type Problem, problem } from './overlay.ts';
import { resolvePath } from './repository-path.ts';
import type { Sight } from './sight.ts';

type Labels = Readonly<Record<string, string>>;

/** A file or folder of the base, and what the kustomizations above it do to what is in it. */
interface Reached {
  readonly path: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly labels: Labels;
}

interface Found extends BaseObject {
  readonly labels: Labels;
}

/** A base with more files than these is not one that a person keeps in view. */
const mostFiles = 100;

const kinds = ['Deployment', 'StatefulSet', 'DaemonSet'] as const satisfies readonly WorkloadKind[];

/**
 * Finds what an overlay on a user's own base has to patch: the workload with the component's name, or else the first
 * Deployment, the first StatefulSet, the first DaemonSet. It goes by the files that the base's kustomizations name inside
 * the repository; what they fetch or generate is not seen.
 */
export function findWorkload(path: string, component: string, sight: Sight): Base | Problem {
  const found = objectsOf(path, sight);
  const usable = kinds.flatMap((kind) =>
    found.flatMap((object) => (object.kind === kind ? (workloadOf(kind, object, component) ?? []) : [])),
  );
  const workload = usable.find(({ name }) => name === component) ?? usable[0];
  if (workload !== undefined) return { path, isOurs: false, workload, objects: found };
  return problem(
    'BaseWithoutWorkload',
    `The base of ${component} in ${path} has no Deployment, StatefulSet or DaemonSet with a container: list one under resources of ${kustomizationsIn(path, sight)[0]}`,
  );
}

/** Depth first, as kustomize goes, so that the first one here is the first one there. */
function objectsOf(base: string, sight: Sight): readonly Found[] {
  const seen = new Set([base]);
  const found: Found[] = [];
  const open = [...reachedFrom({ path: base, prefix: '', suffix: '', labels: {} }, sight)];
  for (let here = open.shift(); here !== undefined && seen.size < mostFiles; here = open.shift()) {
    if (seen.has(here.path)) continue;
    seen.add(here.path);
    const kind = sight.kindOf(here.path);
    if (kind === 'directory') open.unshift(...reachedFrom(here, sight));
    else if (kind === 'file') found.push(...objectsIn(here, sight));
  }
  return found;
}

function reachedFrom(folder: Reached, sight: Sight): readonly Reached[] {
  const content = sight.read(kustomizationsIn(folder.path, sight)[0]);
  const fields = content && readKustomization(content);
  if (fields === undefined) return [];
  const around = {
    prefix: `${folder.prefix}${textOf(fields['namePrefix'])}`,
    suffix: `${textOf(fields['nameSuffix'])}${folder.suffix}`,
    labels: { ...selectorLabels(fields), ...folder.labels },
  };
  return [...listOf(fields['resources']), ...listOf(fields['bases'])].flatMap((entry) => {
    const path = typeof entry === 'string' ? resolvePath(folder.path, entry) : undefined;
    return path === undefined ? [] : [{ path, ...around }];
  });
}

/** Labels that a kustomization also puts into selectors. */
function selectorLabels(fields: Fields): Labels {
  const pairs = listOf(fields['labels']).map((one) =>
    isFields(one) && one['includeSelectors'] === true ? labelsIn(one['pairs']) : {},
  );
  return Object.assign({}, ...pairs, labelsIn(fields['commonLabels'])) as Labels;
}

function objectsIn({ path, prefix, suffix, labels }: Reached, sight: Sight): readonly Found[] {
  const documents = sight.read(path)?.documents ?? [];
  const objects = documents.flatMap((one) => (at(one, 'kind') === 'List' ? listOf(at(one, 'items')) : [one]));
  return objects.filter(isFields).flatMap((fields) => {
    const [kind, name] = [fields['kind'], at(fields, 'metadata', 'name')];
    if (typeof kind !== 'string' || typeof name !== 'string' || !isObjectName(name)) return [];
    return [{ kind, name, builtName: `${prefix}${name}${suffix}`, fields, labels }];
  });
}

function workloadOf(kind: WorkloadKind, { name, fields, labels }: Found, component: string): Workload | undefined {
  const { apiVersion } = fields as { apiVersion?: unknown };
  const containers = listOf(at(fields, 'spec', 'template', 'spec', 'containers'));
  const [first] = containers;
  const [container, namespace] = [at(first, 'name'), at(fields, 'metadata', 'namespace')];
  if (typeof apiVersion !== 'string' || !apiVersion.startsWith('apps/') || typeof container !== 'string')
    return undefined;
  const selector = { ...labelsIn(at(fields, 'spec', 'selector', 'matchLabels')), ...labels };
  return {
    apiVersion,
    kind,
    name,
    namespace: typeof namespace === 'string' ? namespace : undefined,
    container,
    hasVariables: listOf(at(first, 'env')).length > 0,
    selector: Object.keys(selector).length > 0 ? selector : instanceLabel(component),
    namedPorts: new Map(
      containers
        .flatMap((one) => listOf(at(one, 'ports')))
        .map((port) => [textOf(at(port, 'name')), at(port, 'containerPort')]),
    ),
  };
}

function labelsIn(value: unknown): Labels {
  const pairs = Object.entries(isFields(value) ? value : {});
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isFields(inner) ? inner[name] : undefined), value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
