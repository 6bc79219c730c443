import { defineConfig } from 'vitest/config';

/** What `npm test` runs: everything that needs nothing but npm. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.real.test.ts', 'node_modules/**'],
    globalSetup: ['test/support/shared-postgres.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: more workers only make every test slower.
    maxWorkers: 2,
  },
});
