import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What a test file needs, by what it imports, itself or by way of other files of test/:
 * - `seeds`: thousands of simulated nights, minutes each; all of test/evidence
 * - `browser`: opens pages in a real browser; all of test/browser
 * - `processes`: starts processes (imports node:child_process), so that it needs the compiled program
 * - `commands`: runs whole commands (imports helpers/callsheet.ts) or whole campaigns (test/e2e) in this process
 * - `long`: needs nothing, and takes many seconds all the same; those of `LONG`
 * - `quick`: all others
 */
export type TestKind = 'seeds' | 'browser' | 'processes' | 'commands' | 'long' | 'quick';

/** Every zone, hour by hour over two years. */
const LONG = ['test/domain/calling/every-zone.test.ts'];

/** The test files below `root`/test by their kind, as paths from `root`. */
export function testKinds(root: string): Record<TestKind, string[]> {
  const kinds: Record<TestKind, string[]> = {
    seeds: [],
    browser: [],
    processes: [],
    commands: [],
    long: [],
    quick: [],
  };
  for (const name of readdirSync(`${root}/test`, { recursive: true, encoding: 'utf8' })) {
    const file = `test/${name.replaceAll('\\', '/')}`;
    if (file.endsWith('.test.ts')) kinds[kindOf(root, file)].push(file);
  }
  return kinds;
}

function kindOf(root: string, file: string): TestKind {
  if (file.startsWith('test/evidence/')) return 'seeds';
  if (file.startsWith('test/browser/')) return 'browser';
  if (LONG.includes(file)) return 'long';
  const reached = new Set<string>();
  reach(join(root, file), reached);
  if (reached.has('node:child_process')) return 'processes';
  const isWhole =
    file.startsWith('test/e2e/') || reached.has(join(root, 'test/helpers/callsheet.ts'));
  return isWhole ? 'commands' : 'quick';
}

const IMPORTED = /\bfrom '([^']+)'/g;

/** Adds all that a file of test/ imports; what src imports is left out. */
function reach(path: string, reached: Set<string>): void {
  if (reached.has(path)) return;
  reached.add(path);
  for (const [, from = ''] of readFileSync(path, 'utf8').matchAll(IMPORTED)) {
    const other = from.startsWith('.') ? join(dirname(path), from) : from;
    if (from.startsWith('.') && other.includes('/test/') && other.endsWith('.ts')) {
      reach(other, reached);
    } else reached.add(other);
  }
}
