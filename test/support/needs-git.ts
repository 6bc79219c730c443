import process from 'node:process';
import { describe } from 'vitest';
import { findProgram } from '../../infra/find-program.ts';

const isThere = findProgram('git', process.env['PATH']) !== undefined;

/** A suite that needs git, which npm does not bring: without it its tests are skipped, and say why. */
export function describeWithGit(title: string, suite: () => void): void {
  describe.skipIf(!isThere)(isThere ? title : `${title} (skipped: git is not installed)`, suite);
}
