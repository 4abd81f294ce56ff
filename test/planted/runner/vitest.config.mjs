// The tests as `npm test` runs them, with the same limits, without the build (no test that is named here starts a process), and
// with group commits that gather, see test/helpers/faster.ts.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  cacheDir: `${import.meta.dirname}/.cache`,
  test: {
    root: `${import.meta.dirname}/../../..`,
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/helpers/properties.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 25_000 } },
  },
});
