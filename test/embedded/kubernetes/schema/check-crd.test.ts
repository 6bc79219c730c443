import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkCrd } from '../../../../infra/embedded/kubernetes/schema/check-crd.ts';
import { definitions } from './cases/definitions.ts';
import { readDefinition } from './local-server.ts';
import { readAnswers } from './read-answers.ts';

const { judged } = readAnswers();

function tell(crd: unknown, old?: unknown): string[] {
  return checkCrd(crd, old)
    .map(({ reason, field, message }) => `${reason} ${field}: ${message}`)
    .sort();
}

describe('a definition is judged as kube-apiserver 1.36.3 judged it', () => {
  it.each(Object.entries(definitions))('%s', (name, definition) => {
    const told = tell(definition);

    expect(told).toEqual(judged[name]);
  });
});

describe('a definition', () => {
  it.each(readdirSync(new URL('../../../../infra/crds', import.meta.url)))('of ours is right: %s', (file) => {
    const told = tell(readDefinition(file));

    expect(told).toEqual([]);
  });

  it('cannot change its kind, its scope or its group', () => {
    const old = definitions['a name in the metadata'] as { readonly spec: Readonly<Record<string, unknown>> };
    const names = { kind: 'D', plural: 'cs', singular: 'c', listKind: 'CList' };

    const told = tell({ ...old, spec: { ...old.spec, scope: 'Cluster', names } }, old);

    expect(told).toEqual([
      'FieldValueInvalid spec.names.kind: Invalid value: "D": field is immutable',
      'FieldValueInvalid spec.scope: Invalid value: "Cluster": field is immutable',
    ]);
  });

  it.each([
    ['ip("1.2.3.4").family() == 4', 'ip()'],
    ["self.m.all(k, v, v != '')", 'all() with two variables'],
    ["semver('1.2.3').major() == 1", 'semver()'],
    ['lists.range(3) == [0, 1, 2]', 'lists.range()'],
  ])('with a rule that we cannot run is refused and says so: %s', (rule, lacked) => {
    const given = structuredClone(definitions['the rule self.n']) as {
      spec: { versions: [{ schema: { openAPIV3Schema: { properties: { spec: { properties: { a: object } } } } } }] };
    };
    const { a } = given.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties;
    Object.assign(a, { 'x-kubernetes-validations': [{ rule }] });

    const [told] = tell(given);

    expect(told).toContain(`compilation failed: ${lacked} is not supported by the embedded API server`);
  });
});
