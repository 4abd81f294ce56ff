import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/runtime/files.ts';

/** What a file loads at once, and what the files do that it loads; types are not loaded. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, names = '', from = ''] of text.matchAll(/^import ([^;]*?)from '([^']+)';/gm)) {
    if (names.startsWith('type ')) continue;
    if (from.startsWith('.')) loadedBy(join(file, '..', from), seen);
    else seen.add(from);
  }
  return seen;
}

test('the help and the version are printed without a library being loaded', () => {
  const loaded = [...loadedBy(join(packageRoot(), 'src/cli/bin.ts'))];
  const others = loaded.filter((name) => !name.startsWith('/') && !name.startsWith('node:'));
  expect(loaded).toContain(join(packageRoot(), 'src/cli/commands.ts'));
  expect(others).toEqual([]);
});
