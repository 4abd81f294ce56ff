import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The models of the benches as JavaScript, in a folder of this process, as two may run at the same time. */
export function compile() {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  mkdirSync(`${root}node_modules/.cache`, { recursive: true });
  const out = mkdtempSync(`${root}node_modules/.cache/callsheet-polling-`);
  process.on('exit', () => {
    rmSync(out, { recursive: true, force: true });
  });
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'test/bench', '--outDir', out], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(`${out}/package.json`, '{ "type": "module" }\n');
  return out;
}
