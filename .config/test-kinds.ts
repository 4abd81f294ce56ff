import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What a test file needs, by what it imports, itself or by way of other files of test/:
 * - `whole`: runs whole commands (imports helpers/callsheet.ts), whole campaigns (test/e2e), seeded nights (test/evidence),
 *   opens pages in a real browser (test/browser), or starts processes (imports node:child_process), for which it needs the
 *   compiled program
 * - `quick`: all others
 */
export type TestKind = 'whole' | 'quick';

/** The test files below `root`/test by their kind, as paths from `root`. */
export function testKinds(root: string): Record<TestKind, string[]> {
  const kinds: Record<TestKind, string[]> = { whole: [], quick: [] };
  for (const name of readdirSync(`${root}/test`, { recursive: true, encoding: 'utf8' })) {
    const file = `test/${name.replaceAll('\\', '/')}`;
    if (file.endsWith('.test.ts')) kinds[kindOf(root, file)].push(file);
  }
  return kinds;
}

function kindOf(root: string, file: string): TestKind {
  if (/^test\/(browser|evidence|e2e)\//.test(file)) return 'whole';
  const reached = new Set<string>();
  reach(join(root, file), reached);
  const isWhole =
    reached.has('node:child_process') || reached.has(join(root, 'test/helpers/callsheet.ts'));
  return isWhole ? 'whole' : 'quick';
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
