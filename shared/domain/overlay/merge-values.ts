import type { Amounts, Resources } from '../core/quantity.ts';
import { isProblem, type OverlayInput, type Problem, problem, type Variable } from './overlay.ts';

/** A variable as it was written down. */
export interface WrittenVariable {
  readonly name: string;
  readonly value?: string | undefined;
  readonly valueFrom?: unknown;
}

/** What one place says about a component. */
export interface Configuration {
  readonly env?: readonly WrittenVariable[] | undefined;
  readonly replicas?: number | undefined;
  readonly resources?: Resources | undefined;
}

export interface Configurations {
  readonly binding: Configuration | undefined;
  readonly component: Configuration | undefined;
  readonly application: Configuration | undefined;
  /** It says nothing about replicas and resources: it is one for many components. */
  readonly environment: Pick<Configuration, 'env'> | undefined;
}

export type Values = Pick<OverlayInput, 'env' | 'replicas' | 'resources'>;

/** Characters that end the build: kustomize writes them out and then refuses to read them, or reads a space. */
const unbuildable = /[\u007f-\u009f\ufffe\uffff]/;

/**
 * One value of each, where several places may give one. The more specific intent wins: the Binding's, then the Component's,
 * then the Application's, then the Environment's.
 */
export function mergeValues({ binding, component, application, environment }: Configurations): Values | Problem {
  const env = mergeVariables({
    SnapshotEnvironmentBinding: binding?.env ?? [],
    Component: component?.env ?? [],
    Application: application?.env ?? [],
    Environment: environment?.env ?? [],
  });
  if (isProblem(env)) return env;
  const weakestFirst = [application?.resources, component?.resources, binding?.resources];
  const requests = mergeAmounts(weakestFirst.map((resources) => resources?.requests));
  const limits = mergeAmounts(weakestFirst.map((resources) => resources?.limits));
  return {
    env,
    replicas: binding?.replicas ?? component?.replicas ?? application?.replicas ?? 1,
    resources: {
      ...(hasAny(requests) && { requests }),
      ...(hasAny(limits) && { limits }),
    },
  };
}

/** Never sorted: a variable may refer to one before it. */
function mergeVariables(lists: Readonly<Record<string, readonly WrittenVariable[]>>): readonly Variable[] | Problem {
  const merged = new Map<string, Variable>();
  for (const [place, list] of Object.entries(lists)) {
    const fault = faultIn(place, list);
    if (fault !== undefined) return fault;
    for (const { name, value = '' } of list) if (!merged.has(name)) merged.set(name, { name, value });
  }
  return [...merged.values()];
}

/** Names are told, values never. */
function faultIn(place: string, list: readonly WrittenVariable[]): Problem | undefined {
  const foreign = list.filter(({ valueFrom }) => valueFrom !== undefined && valueFrom !== null);
  if (foreign.length > 0)
    return problem(
      'ValueFromNotSupported',
      `The ${place} takes ${namesOf(foreign)} from elsewhere with valueFrom, which is not supported: give a value`,
    );
  const names = new Set<string>();
  const twice = list.filter(({ name }) => names.has(name) || !names.add(name));
  if (twice.length > 0)
    return problem('VariableTwice', `The ${place} gives ${namesOf(twice)} more than once: keep one of them`);
  const odd = list.filter(({ name, value = '' }) => unbuildable.test(`${name}${value}`));
  if (odd.length > 0)
    return problem(
      'ValueNotUsable',
      `The ${place} gives ${namesOf(odd)} a control character that kustomize cannot handle: leave it out`,
    );
  return undefined;
}

function namesOf(variables: readonly WrittenVariable[]): string {
  return [...new Set(variables.map(({ name }) => name))].join(', ');
}

/** In the order of their names, so that it does not show which place gave which. */
function mergeAmounts(weakestFirst: readonly (Amounts | undefined)[]): Amounts {
  const merged: Amounts = Object.assign({}, ...weakestFirst);
  return Object.fromEntries(Object.entries(merged).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function hasAny(amounts: Amounts): boolean {
  return Object.keys(amounts).length > 0;
}
