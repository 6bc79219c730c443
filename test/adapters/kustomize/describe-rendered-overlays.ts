import { beforeAll, describe, expect, it } from 'vitest';
import { type Builder, buildAll, documentsOfEach } from './build-tree.ts';
import { viewOf } from './overlay-case.ts';
import { overlayCases } from './overlay-cases.ts';

type Documents = ReadonlyMap<string, readonly string[]>;

const cases = Object.entries(overlayCases());
const built = new Map<string, Documents>();

/** What a real kustomize makes of overlays that we rendered. Without a program the tests are skipped. */
export function describeRenderedOverlays(
  title: string,
  kustomizePath: string | undefined,
  args: readonly string[] = ['build'],
): void {
  const reason = kustomizePath === undefined ? ' (skipped: it is not there)' : '';

  describe.skipIf(kustomizePath === undefined)(`overlays, built by ${title}${reason}`, () => {
    let documents: Documents = new Map();

    beforeAll(() => {
      documents = buildCases({ program: kustomizePath ?? '', args });
    });

    it.each(cases)('%s', (sentence, { sees }) => {
      sees(viewOf(documents.get(sentence) ?? []));
    });

    it('O36 none of them keeps an instruction for kustomize', () => {
      expect([...documents.values()].flat().join()).not.toContain('$patch');
    });
  });
}

/** The documents of every case, by its sentence. Each program builds them once. */
export function buildCases(builder: Builder): Documents {
  const all = cases.map(([, one]) => one);
  const key = [builder.program, ...builder.args].join(' ');
  const documents =
    built.get(key) ??
    new Map(documentsOfEach(buildAll(builder, all), all).map((some, at) => [cases[at]?.[0] ?? '', some]));
  built.set(key, documents);
  return documents;
}

/** A base of HAS has empty dates, which only one version of kustomize drops. */
export function isOurs([sentence]: readonly [string, unknown]): boolean {
  return !sentence.includes('HAS');
}
