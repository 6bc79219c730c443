import { describe, expect, it } from 'vitest';
import { findKustomize } from '../../../infra/embedded/argo-cd/source/find-kustomize.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import type { Builder } from './build-tree.ts';
import { buildCases, describeRenderedOverlays, isOurs } from './describe-rendered-overlays.ts';

// With nothing on the path, the one that npm installed is found.
const installed = await findKustomize('/dev/null').catch(() => undefined);
const real = await realParts(['kustomize']);

describe.skipIf('missing' in real)(`with kustomize 5 built here${reasonOf(real)}`, () => {
  describeRenderedOverlays('kustomize 5', 'missing' in real ? undefined : partsOf(real).kustomize);

  it.skipIf(installed === undefined)('O36 kustomize 4.5.4 builds the same bytes', () => {
    const newest: Builder = { program: partsOf(real).kustomize, args: ['build'] };
    const [one, two] = [installed as Builder, newest].map((builder) => [...buildCases(builder)].filter(isOurs));

    expect(one).toEqual(two);
    expect(one?.length).toBeGreaterThan(50);
  });
});
