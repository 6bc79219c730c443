import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWritten } from '../../../shared/domain/overlay/read-written.ts';
import { writeYaml } from '../../../shared/domain/overlay/write-yaml.ts';
import { anInput, at, contentOf, rendered } from './a-repository.ts';
import { awkwardTexts } from './awkward-texts.ts';

const exposed = anInput({ port: 8080, expose: { with: 'Ingress', host: 'a.example.com' } });

describe('what we wrote ourselves', () => {
  it('is read without a parser: every kustomization', () => {
    const tree = rendered(exposed);

    for (const path of [at.kustomization, at.baseKustomization])
      expect([readWritten(tree[path] ?? '')]).toEqual(contentOf(tree[path] ?? '').documents);
  });

  it('is read without a parser also where a user has added to it', () => {
    const theirs = 'namespace: team\nresources: [mine.yaml]\nlabels: [{pairs: {a: b}, includeSelectors: true}]\n';
    const tree = rendered(exposed, { [at.kustomization]: theirs, 'components/web/overlays/dev/mine.yaml': '' });
    const text = tree[at.kustomization] ?? '';

    expect(text).toContain('mine.yaml');
    expect([readWritten(text)]).toEqual(contentOf(text).documents);
  });

  it('is read as the parser reads it, or not at all, whatever it says', () => {
    const text = fc.oneof(fc.constantFrom(...Object.values(awkwardTexts)), fc.stringMatching(/^[a-z][a-z./:-]{0,8}$/));
    const inner = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 2 }));
    const value = fc.dictionary(text, fc.oneof(inner, fc.dictionary(text, inner, { maxKeys: 2 })), { maxKeys: 3 });

    fc.assert(
      fc.property(value, (fields) => {
        const written = writeYaml(fields);
        const read = readWritten(written);

        if (read !== undefined) expect([read]).toEqual(contentOf(written).documents);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what somebody else wrote', () => {
  const texts: Record<string, string> = {
    'nothing at all': '',
    'no end of its line': 'a: b',
    'a comment inside': 'a: b\n# c\nd: e\n',
    'a comment behind a value': 'a: b # c\n',
    'a comment with a line end of its own': '# a\rb: c\nd: e\n',
    'lines of Windows': 'a: b\r\n',
    'a second document': 'a: b\n---\nc: d\n',
    'a list in brackets': 'a: [b]\n',
    'other quotes': "a: 'b'\n",
    'quotes without need': 'a: "b"\n',
    'a key twice': 'a: b\na: c\n',
    'an anchor': 'a: &b c\n',
    'an alias': 'a: *b\n',
    'a merge': '<<: {}\n',
    'a list that is shifted': 'a:\n  - b\n',
    'a map that is shifted too far': 'a:\n    b: c\n',
    'a map that is not shifted back': '  a: b\nc: d\n',
    'a number with a nought before it': 'a: 007\n',
    'a number that is too large': 'a: 9007199254740993\n',
    'a word for true': 'a: yes\n',
    'several lines': 'a: |\n  b\n',
    'a quote that does not end': 'a: "b\n',
    'the name of every prototype': '__proto__:\n  a: b\n',
    'keys in the order of numbers only': '2: a\n1: b\n',
    'no fields': '- a\n',
    'a list without an end': `${'- '.repeat(10_000)}a\n`,
  };

  it.each(Object.entries(texts))('is left to the parser: %s', (_what, text) => {
    expect(readWritten(text)).toBeUndefined();
  });
});
