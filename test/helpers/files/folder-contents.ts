import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder with its bytes and the time of its last change, to see that nothing was written. */
export function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const entries = names.map((name) => {
    const path = join(folder, name);
    const found = statSync(path);
    // SQLite's files for readers come and go in a folder.
    if (!found.isFile()) return [name, 'a folder'] as const;
    return [name, `${found.mtimeMs} ${readFileSync(path, 'latin1')}`] as const;
  });
  return Object.fromEntries(entries);
}
