import { describe } from 'vitest';
import { chromium } from './browser.ts';

/** A suite that needs a browser: without one its tests are skipped, and say why. */
export function describeWithChromium(title: string, suite: () => void): void {
  const isThere = chromium !== undefined;
  describe.skipIf(!isThere)(isThere ? title : `${title} (skipped: no Chromium is installed)`, suite);
}
