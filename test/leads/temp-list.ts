import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../helpers/files/temp.ts';

/** A list with this content, in a folder of its own that is gone after the test. */
export function tempList(content: string | Uint8Array, name = 'list.csv'): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, content);
  return path;
}
