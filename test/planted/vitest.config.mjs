// The tests as `npm test` runs them, without the build: no test that is named here starts a process.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  cacheDir: `${import.meta.dirname}/.cache`,
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
