import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';

/** What the compiled program is made of; a folder's own time says when a file in it came or went. */
const SOURCES = ['src', '.config', 'package-lock.json'];
/** What compiling it writes last. */
const BUILT = 'dist/console/pages/index.html.gz';

/** The tests that start callsheet as a process run the compiled program: compile it once, first, if it is older. */
export default function build(): void {
  if (existsSync(BUILT) && newest(SOURCES) < statSync(BUILT).mtimeMs) return;
  execFileSync(process.execPath, ['.config/prepare.mjs'], { stdio: 'inherit' });
}

function newest(paths: readonly string[]): number {
  const times = paths.flatMap((path) => {
    const found = statSync(path);
    if (!found.isDirectory()) return [found.mtimeMs];
    const inside = readdirSync(path).map((name) => `${path}/${name}`);
    return [found.mtimeMs, newest(inside)];
  });
  return Math.max(0, ...times);
}
