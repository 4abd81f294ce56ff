import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Which vitest project a test file belongs to:
 * - `seeds`: thousands of simulated nights, minutes each; all of test/evidence
 * - `processes`: starts processes, so that it needs the compiled program and takes its time
 * - `alone`: replaces a module, or something that all modules share, and has a process of its own for it
 * - `together`: all others; they share what was loaded once
 */
export type TestKind = 'seeds' | 'processes' | 'alone' | 'together';

/** The test files below `root`/test by their kind, as paths from `root`. */
export function testKinds(root: string): Record<TestKind, string[]> {
  const kinds: Record<TestKind, string[]> = { seeds: [], processes: [], alone: [], together: [] };
  for (const name of readdirSync(`${root}/test`, { recursive: true, encoding: 'utf8' })) {
    const file = `test/${name.replaceAll('\\', '/')}`;
    if (file.endsWith('.test.ts')) kinds[kindOf(root, file)].push(file);
  }
  return kinds;
}

const REPLACES =
  /\bvi\.(mock|doMock|hoisted|spyOn|stub|useFake)|\bglobalThis\b|\bdefineProperty\b|\.prototype\b/;

function kindOf(root: string, file: string): TestKind {
  if (file.startsWith('test/evidence/')) return 'seeds';
  if (startsProcesses(join(root, file))) return 'processes';
  return REPLACES.test(readFileSync(join(root, file), 'utf8')) ? 'alone' : 'together';
}

const IMPORTED = /\bfrom '([^']+)'/g;
/** What starts a process is in this module of Node and nowhere else. */
const STARTS = 'node:child_process';

/** Whether a file imports it, itself or by way of other files of test/; what src starts is not looked at. */
function startsProcesses(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const imported = [...readFileSync(path, 'utf8').matchAll(IMPORTED)].map(([, from = '']) => from);
  return imported.some((from) => {
    if (!from.startsWith('.')) return from === STARTS;
    const other = join(dirname(path), from);
    return !other.includes('/src/') && other.endsWith('.ts') && startsProcesses(other, seen);
  });
}
