import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/build.ts'],
    // Native SQLite belongs into processes, not threads.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/cli/bin.ts', 'src/**/port.ts'],
      reporter: ['text', 'json-summary'],
      thresholds: { lines: 90, 'src/domain/**': { lines: 100 } },
    },
  },
});
