import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeYaml } from '../../../shared/domain/overlay/write-yaml.ts';
import { awkwardTexts } from './awkward-texts.ts';

describe('what is written as YAML', () => {
  it.each(Object.entries(awkwardTexts))('O35 reads back as it was: %s', (_what, text) => {
    const value = { [text]: text, list: [text, { [text]: [text] }], inner: { text } };
    const written = writeYaml(value);

    expect(parse(written)).toEqual(value);
    expect(parse(written, { version: '1.1' })).toEqual(value);
    // The parser here is more patient than that of kustomize, which takes some of these for the end of a line.
    expect(written).not.toMatch(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/);
  });

  it('O35 reads back as it was, whatever the value', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(...Object.values(awkwardTexts)),
      lines(),
    );
    const value = fc.dictionary(text, fc.jsonValue({ maxDepth: 1 }).map(withoutNegativeZero), {
      noNullPrototype: true,
      maxKeys: 3,
    });

    fc.assert(
      fc.property(value, text, (fields, one) => {
        const whole = { ...fields, one, list: [one, [one, []], {}] };

        expect(parse(writeYaml(whole))).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  it('half a character is replaced, because no file can hold it', () => {
    expect(parse(writeYaml({ a: 'x\ud800y' }))).toEqual({ a: 'x\ufffdy' });
  });

  it('is laid out as the tools of Kubernetes do it, in the order of the fields', () => {
    const value = {
      kind: 'Kustomization',
      'app.kubernetes.io/name': 'web',
      resources: ['../../base', 'quay.io:5000/team/web:v1', 'sha256:ab'],
      patches: [{ path: 'a.yaml', target: { kind: 'Deployment' } }, { patch: '- op: add\n  path: /a\n' }],
      nothing: null,
      absent: undefined,
      empty: { list: [], map: {}, text: '' },
      numbers: [0, -1.5, 1e21, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN],
      flags: [true, false, 'true'],
      nested: [['a', 'b'], [['c']]],
    };

    expect(writeYaml(value)).toBe(`kind: Kustomization
app.kubernetes.io/name: web
resources:
- ../../base
- quay.io:5000/team/web:v1
- sha256:ab
patches:
- path: a.yaml
  target:
    kind: Deployment
- patch: |
    - op: add
      path: /a
nothing: null
empty:
  list: []
  map: {}
  text: ""
numbers:
- 0
- -1.5
- 1e+21
- .inf
- -.inf
- .nan
flags:
- true
- false
- "true"
nested:
- - a
  - b
- - - c
`);
  });
});

/** Lines of the kind that patches and certificates have. */
function lines(): fc.Arbitrary<string> {
  const line = fc.string({ unit: fc.constantFrom('a', ' ', '\t', '-', ':', '#', '"', 'é'), maxLength: 4 });
  return fc.array(line, { maxLength: 4 }).map((all) => all.join('\n'));
}

function withoutNegativeZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
