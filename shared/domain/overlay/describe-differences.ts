import { canonical } from '../status/canonical.ts';
import type { OverlayInput } from './overlay.ts';

/** What a person calls the parts that can change. The names of a component are given once and for all. */
const words = {
  image: 'image',
  replicas: 'replicas',
  resources: 'resources',
  port: 'port',
  pullSecret: 'pull secret',
  expose: 'way in from outside',
  kustomizeBase: 'base',
} as const satisfies Partial<Record<keyof OverlayInput, string>>;

/** Where two renderings of an environment differ, in few words. Values are never told: some are secrets. */
export function describeDifferences(before: readonly OverlayInput[], after: readonly OverlayInput[]): string[] {
  const [old, now] = [byComponent(before), byComponent(after)];
  return [...new Set([...old.keys(), ...now.keys()])].toSorted().flatMap((component) => {
    const [one, other] = [old.get(component), now.get(component)];
    if (one === undefined) return [`${component}: added`];
    if (other === undefined) return [`${component}: removed`];
    return differences(one, other).map((difference) => `${component}: ${difference}`);
  });
}

function differences(one: OverlayInput, other: OverlayInput): readonly string[] {
  const parts = Object.entries(words) as [keyof typeof words, string][];
  return [
    ...parts.filter(([part]) => canonical(one[part]) !== canonical(other[part])).map(([, word]) => word),
    ...variables(one, other),
  ];
}

function variables({ env: one }: OverlayInput, { env: other }: OverlayInput): readonly string[] {
  const [old, now] = [valuesOf(one), valuesOf(other)];
  const names = [...new Set([...now.keys(), ...old.keys()])].filter((name) => old.get(name) !== now.get(name));
  if (names.length > 0) return names.map((name) => `env ${name}`);
  return canonical([...old.keys()]) === canonical([...now.keys()]) ? [] : ['order of env'];
}

function valuesOf(env: OverlayInput['env']): ReadonlyMap<string, string> {
  return new Map(env.map(({ name, value }) => [name, value]));
}

function byComponent(inputs: readonly OverlayInput[]): ReadonlyMap<string, OverlayInput> {
  return new Map(inputs.map((input) => [input.component, input]));
}
