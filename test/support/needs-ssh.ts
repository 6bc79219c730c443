import { describe } from 'vitest';
import { missingForSsh } from './ssh-server.ts';

/** A suite that needs an ssh server, which npm does not bring: without one its tests are skipped, and say why. */
export function describeWithSsh(title: string, suite: () => void): void {
  const reason = missingForSsh === undefined ? '' : ` (skipped: ${missingForSsh})`;
  describe.skipIf(missingForSsh !== undefined)(`${title}${reason}`, suite);
}
