import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { findKustomize } from '../../../infra/embedded/argo-cd/source/find-kustomize.ts';
import { partsCache } from '../../../scripts/real/build.ts';
import type { Builder } from './build-tree.ts';
import { buildCases, describeRenderedOverlays, isOurs } from './describe-rendered-overlays.ts';

// With nothing on the path, the one that npm installed is found.
const installed = await findKustomize('/dev/null').catch(() => undefined);
const onPath = await findKustomize().catch(() => undefined);
const newest = process.env['KUSTOMIZE_5'] ?? builtKustomize();

describeRenderedOverlays('kustomize 4.5.4', installed?.program);
describeRenderedOverlays('kustomize 5', newest);

describe('kustomize 4.5.4 builds the same bytes', () => {
  const others: Record<string, Builder | undefined> = {
    'kustomize 5': newest === undefined ? undefined : { program: newest, args: ['build'] },
    'the kustomize on the path': onPath?.program === installed?.program ? undefined : onPath,
  };

  for (const [title, other] of Object.entries(others))
    it.skipIf(installed === undefined || other === undefined)(`O36 as ${title}`, () => {
      const [one, two] = [installed, other].map((builder) => [...buildCases(builder as Builder)].filter(isOurs));

      expect(one).toEqual(two);
      expect(one?.length).toBeGreaterThan(50);
    });
});

/** The one among the real parts, where somebody has built them. */
function builtKustomize(): string | undefined {
  const parts = join(partsCache(), 'parts');
  const folder = existsSync(parts) ? readdirSync(parts).find((name) => name.startsWith('kustomize-5')) : undefined;
  return folder && join(parts, folder, 'kustomize');
}
