import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `npm run postgres`: what every store must do, by the statements of SQLite on a real PostgreSQL server. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..', '..'),
    include: [
      'test/store/postgres/{commands,conformance,journey,unusable,recovery,machines,move,serial,lock,same-answers,refusals}.ts',
    ],
    setupFiles: ['test/helpers/faster.ts', 'test/helpers/properties.ts'],
    globalSetup: 'test/store/postgres/server.ts',
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Of what the server does.
    expect: { poll: { timeout: 25_000 } },
  },
});
