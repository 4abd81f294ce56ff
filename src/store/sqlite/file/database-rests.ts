import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError, EXIT } from '../../../runtime/errors.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { journalPath } from '../journal/journal.ts';

/** What follows the name of a database in the names of files that only a used one leaves; see also `freeName`. */
const RESTS =
  /^\.(dials|ballast|saved(-\d+)?(\.dials)?|replaced-[^.]+(\.dials)?)$|^(-wal|-shm|-journal)$/;

/** A database that another process is making right now may have these two already. */
const NEW_ONES_TOO = /^(-journal)$/;

/**
 * Refuses to create a database where one was: a new one would not know who was called before.
 *
 * @param path as `realPath` gives it; the file is missing, or empty
 * @throws AppError `STORE_LOST` (exit 5), naming the command that brings the database back
 */
export function refuseBesideRests(path: string): void {
  const name = basename(path);
  const folder = dirname(path);
  if (!existsSync(folder)) return;
  const isEmpty = existsSync(path);
  const rests = readdirSync(folder)
    .filter((file) => file.startsWith(name) && RESTS.test(file.slice(name.length)))
    .filter((file) => !isEmpty || !NEW_ONES_TOO.test(file.slice(name.length)))
    .toSorted();
  // Another process may have created it meanwhile, with its journal.
  if (rests.length === 0 || existsSync(path) !== isEmpty) return;
  throw new AppError(
    'STORE_LOST',
    `There is no database at ${path}, but ${rests.join(', ')} ${rests.length === 1 ? 'is' : 'are'} still beside it: a new one would call everybody again, so nobody is called.`,
    { hint: wayBack(path, rests), exitCode: EXIT.person },
  );
}

function wayBack(path: string, rests: readonly string[]): string {
  const at = (file: string) => shellWord(join(dirname(path), file));
  const copies = rests.filter((file) => !/\.dials$|\.ballast$|-wal$|-shm$|-journal$/.test(file));
  const journal = journalPath(path);
  const elsewhere = `To begin a new one all the same, name another path with --db.`;
  const [copy] = copies.filter((file) => file.includes('.saved')).toReversed();
  if (copy === undefined)
    return `put the database back with the files beside it, or the newest backup: \`callsheet restore ${copies[0] === undefined ? 'FILE' : at(copies[0])} --db ${shellWord(path)}\`. ${elsewhere}`;
  const dials = `${copy}.dials`;
  const first =
    existsSync(journal) || !rests.includes(dials)
      ? ''
      : `mv ${at(dials)} ${shellWord(journal)} && `;
  return `\`${first}callsheet restore ${at(copy)} --db ${shellWord(path)}\` brings it back as the last run knew it. ${elsewhere}`;
}
