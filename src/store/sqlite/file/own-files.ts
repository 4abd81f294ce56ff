import { ballastPath } from './ballast.ts';
import { COMPANIONS } from './files.ts';
import { journalPath } from '../claim/journal.ts';

/** The names of all files that belong to a database beside its own; not all of them are there at any time. */
export function besideDatabase(path: string): string[] {
  return [journalPath(path), ballastPath(path), ...COMPANIONS.map((end) => path + end)];
}
