// Builds dist/: compiles src and copies the SQL migrations beside the compiled store.
// Run by `npm ci`; with --omit=dev there is no compiler, and dist/ must have been packed already.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = findCompiler();
if (compiler === undefined) process.exit(0);

const { status } = spawnSync(process.execPath, [compiler, '-p', '.config/tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
cpSync(`${root}src/store/sqlite/migrations`, `${root}dist/store/sqlite/migrations`, {
  recursive: true,
});
if (existsSync(`${root}dist/cli/bin.js`)) chmodSync(`${root}dist/cli/bin.js`, 0o755);

function findCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch {
    return undefined;
  }
}
