import { writeSync } from 'node:fs';
import process from 'node:process';
import { type BuiltParts, buildParts } from '../../infra/real/build-parts.ts';
import type { PartName } from '../../infra/real/part-catalog.ts';
import { missingForArgoCd } from '../../infra/real/start-argo-cd.ts';
import { partsCache } from '../../scripts/real/build.ts';

/**
 * The real parts, built first where that has not been done. Where they cannot be had, the reason: a suite then skips its
 * tests, so that they are counted as skipped and never as passed.
 *
 *   const real = await realParts(['etcd', 'kube-apiserver']);
 *   describe.skipIf('missing' in real)(`a real API server${reasonOf(real)}`, () => …)
 */
export async function realParts<const Name extends PartName>(names: readonly Name[]): Promise<BuiltParts<Name>> {
  const real = await find(names);
  // The runner counts skipped tests, but does not show the titles of their suites.
  if ('missing' in real) report(`Tests on the real ${names.join(', ')} are skipped: ${real.missing}`);
  return real;
}

async function find<Name extends PartName>(names: readonly Name[]): Promise<BuiltParts<Name>> {
  const wanted: readonly PartName[] = names;
  const missing = wanted.includes('argo-cd') ? missingForArgoCd(process.env['PATH'] ?? '') : undefined;
  if (missing !== undefined) return { missing };
  return buildParts(names, { cache: partsCache(), report, environment: process.env });
}

/** For the title of a suite: empty where the parts are there. */
export function reasonOf(real: BuiltParts<never> | { readonly parts: object }): string {
  return 'missing' in real ? ` (skipped: ${real.missing})` : '';
}

/** The parts, inside a suite that is skipped without them. */
export function partsOf<Name extends PartName>(real: BuiltParts<Name>): Readonly<Record<Name, string>> {
  if ('missing' in real) throw new Error(real.missing);
  return real.parts;
}

/** Past the test runner, which shows what a test prints only once the test has ended: a first build takes minutes. */
function report(line: string): void {
  writeSync(process.stderr.fd, `${line}\n`);
}
