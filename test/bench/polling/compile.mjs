import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The models of the benches as JavaScript, in a folder of their own. */
export function compile() {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const out = `${root}node_modules/.cache/callsheet-polling`;
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'test/bench', '--outDir', out], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(`${out}/package.json`, '{ "type": "module" }\n');
  return out;
}
