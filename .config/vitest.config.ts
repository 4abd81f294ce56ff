import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const root = `${import.meta.dirname}/..`;

/** Whoever replaces a module, or something that all share, is alone in a process. */
const REPLACES =
  /\bvi\.(mock|doMock|hoisted|spyOn|stub|useFake)|\bglobalThis\b|\bdefineProperty\b|\.prototype\b/;

const files = readdirSync(`${root}/test`, { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts'));
/** Have processes of their own and take longest: those that are alone begin. */
const EVIDENCE = 'test/evidence/';
/** All others share what they have loaded: loading it once for each file took as long as half of the tests. */
const together = files.filter(
  (file) => !file.startsWith(EVIDENCE) && !REPLACES.test(readFileSync(`${root}/${file}`, 'utf8')),
);
const common = {
  root,
  setupFiles: ['test/helpers/no-gathering.ts'],
  // Native SQLite belongs into processes, not threads.
  pool: 'forks' as const,
  testTimeout: 30_000,
  hookTimeout: 30_000,
};

export default defineConfig({
  test: {
    root,
    globalSetup: ['test/helpers/build.ts'],
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'together', include: together, isolate: false } },
      { test: { ...common, name: 'alone', include: ['test/**/*.test.ts'], exclude: together } },
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
