import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * What `npm run test:real` runs: everything that needs more than npm. A suite whose tool cannot be had says so and
 * skips its tests, so that they are counted as skipped and never as passed.
 */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/**/*.real.test.ts'],
    exclude: ['node_modules/**'],
    // A real part may have to be installed before its suite begins.
    hookTimeout: 20 * 60_000,
    testTimeout: 120_000,
    // One control plane at a time: each is four programs, and two cores are soon busy.
    maxWorkers: 1,
  },
});
