import { defineConfig } from 'vitest/config';
import { testKinds } from './test-kinds.ts';

const root = `${import.meta.dirname}/..`;
const { together, alone, processes, seeds } = testKinds(root);
const common = {
  root,
  setupFiles: ['test/helpers/no-gathering.ts'],
  // Native SQLite belongs into processes, not threads.
  pool: 'forks' as const,
  testTimeout: 30_000,
  hookTimeout: 30_000,
};
const compiled = { globalSetup: ['test/helpers/build.ts'] };

// `npm run test:quick` runs the projects quick and quick-alone, which need no compiled program.
export default defineConfig({
  test: {
    root,
    maxWorkers: 2,
    projects: [
      // Loading the program once for all of these files, not once for each, halves their time.
      { test: { ...common, name: 'quick', include: together, isolate: false } },
      { test: { ...common, name: 'quick-alone', include: alone } },
      { test: { ...common, ...compiled, name: 'processes', include: processes } },
      { test: { ...common, ...compiled, name: 'seeds', include: seeds } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/cli/bin.ts', 'src/**/port.ts'],
      reporter: ['text', 'json-summary'],
      thresholds: { lines: 90, 'src/domain/**': { lines: 100 } },
    },
  },
});
