import type { ApiObject } from '../api-object.ts';
import { listAt, textAt, textsAt, valueAt } from '../kinds/rules/fields.ts';
import { humanDuration } from './human-duration.ts';

/** How a built-in kind looks in `kubectl get`. */
export interface RowPrinter {
  /** Columns as `name:type:format`, with a `+` before those that only `-o wide` shows. */
  readonly columns: readonly string[];
  cells(object: ApiObject, now: number): readonly unknown[];
}

/** The time since an instant of the API, or `<unknown>` where none is given. */
export function since(instant: unknown, now: number): string {
  if (typeof instant !== 'string' || instant === '') return '<unknown>';
  return humanDuration(now - Date.parse(instant));
}

export function age(object: ApiObject, now: number): string {
  return since(object.metadata.creationTimestamp, now);
}

export function orElse(text: unknown, otherwise: string): string {
  return typeof text === 'string' && text !== '' ? text : otherwise;
}

export function containersAndImages(podSpec: unknown): [string, string] {
  const containers = listAt(podSpec, 'containers');
  return [
    containers.map((container) => textAt(container, 'name')).join(','),
    containers.map((container) => textAt(container, 'image')).join(','),
  ];
}

function sortedEntries(labels: Record<string, string>): [string, string][] {
  return Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1));
}

/** A plain map of labels, as Services and DaemonSets select with. */
export function labelsInWords(labels: Record<string, string>): string {
  const words = sortedEntries(labels).map(([key, value]) => `${key}=${value}`);
  return words.length === 0 ? '<none>' : words.join(',');
}

const operators: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** A label selector in the words of `kubectl get -l`; empty for a selector that selects everything. */
export function selectorInWords(selector: unknown): string {
  const equal = sortedEntries(textsAt(selector, 'matchLabels')).map(([key, value]) => ({
    key,
    words: `${key}=${value}`,
  }));
  const others = listAt(selector, 'matchExpressions').map((expression) => {
    const key = textAt(expression, 'key');
    const values = [...listAt(expression, 'values')].map(String).sort().join(',');
    return { key, words: operators[textAt(expression, 'operator')]?.(key, values) ?? '<error>' };
  });
  return [...equal, ...others]
    .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
    .map(({ words }) => words)
    .join(',');
}

export function selectorOrNone(selector: unknown): string {
  return orElse(selectorInWords(selector), '<none>');
}

/** Addresses of a load balancer, each once, in order. */
export function loadBalancerAddresses(object: ApiObject): string {
  const ingress = listAt(object, 'status', 'loadBalancer', 'ingress');
  const addresses = ingress
    .map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'))
    .filter((one) => one !== '');
  return [...new Set(addresses)].sort().join(',');
}

const shortModes: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

export function accessModes(modes: readonly unknown[]): string {
  return shortModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

export function hasTrueCondition(object: unknown, type: string): boolean {
  return listAt(object, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
  );
}

export function quantity(map: unknown, name: string): string {
  const value = valueAt(map, name);
  return value === undefined || value === null ? '0' : String(value);
}
