// Builds dist/: compiles src and copies the SQL migrations beside the compiled store.
// Run by `npm ci`; with --omit=dev there is no compiler, and dist/ must have been packed already.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
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
const bin = `${root}dist/cli/bin.js`;
if (existsSync(bin)) {
  chmodSync(bin, 0o755);
  linkForNpx();
}

/** `npx callsheet` in this folder finds the program here; otherwise npm would pack and build it once more. */
function linkForNpx() {
  if (process.platform === 'win32' || !existsSync(`${root}node_modules`)) return;
  const link = `${root}node_modules/.bin/callsheet`;
  mkdirSync(`${root}node_modules/.bin`, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync('../../dist/cli/bin.js', link);
}

function findCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch {
    return undefined;
  }
}
