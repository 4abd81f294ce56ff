// Builds dist/: compiles src, and packs the command with its libraries into dist/bin, since reading a hundred
// files from one folder takes half as long as finding two thousand in node_modules. Builds the pages of the
// console beside them. Run by `npm ci`;
// with --omit=dev there is no compiler, and dist/ must have been built already.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { postgresFiles } from './postgres-schema.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = findCompiler();
if (compiler === undefined) process.exit(0);

const { status } = spawnSync(process.execPath, [compiler, '-p', '.config/tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
await pack();
await buildPages();
for (const folder of ['dist/store/postgres', 'dist/bin'])
  for (const [name, text] of Object.entries(postgresFiles()))
    writeFileSync(`${root}${folder}/${name}`, text);
for (const folder of ['dist/store/sqlite', 'dist/bin']) {
  // One that has another name now must not stay.
  rmSync(`${root}${folder}/migrations`, { recursive: true, force: true });
  for (const sql of ['migrations', 'schema.sql'])
    cpSync(`${root}src/store/sqlite/${sql}`, `${root}${folder}/${sql}`, { recursive: true });
}
chmodSync(`${root}dist/bin/callsheet.js`, 0o755);

async function pack() {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: {
      callsheet: 'dist/cli/bin.js',
      // Threads, which are started by their names.
      'store-thread': 'dist/store/postgres/store-thread.js',
      'wire-thread': 'dist/store/postgres/wire-thread.js',
    },
    platform: 'node',
    // Has a compiled part that it looks for beside itself; the other one is not installed, and pg does without.
    external: ['better-sqlite3', 'pg-native'],
    logLevel: 'warn',
  });
  await bundle.write({ dir: 'dist/bin', cleanDir: true, chunkFileNames: '[name].js' });
  await bundle.close();
}

async function buildPages() {
  const { build } = await import('vite');
  await build({ configFile: `${root}.config/vite.config.mjs` });
}

function findCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch {
    return undefined;
  }
}
