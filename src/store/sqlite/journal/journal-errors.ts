import { AppError, EXIT } from '../../../runtime/errors.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { lineNumber, type DamagedLine, type JournalEntry } from './journal-lines.ts';

/** Errors that stop all calls while the dial journal does not match its database; each needs a person (exit 5). */

interface Place {
  /** Path of the journal. */
  path: string;
  databasePath: string;
}

/** `JOURNAL_OF_ANOTHER_DATABASE` */
export function foreign({ path, databasePath }: Place): AppError {
  return refusal(
    'JOURNAL_OF_ANOTHER_DATABASE',
    `The dial journal ${path} belongs to a database other than ${databasePath}: it is not known here whom that one called, so nobody is called.`,
    'Put the old database back beside its journal (`callsheet restore FILE` does, from a backup), or give the new one a path of its own with --db.',
  );
}

/** `JOURNAL_BEYOND_DATABASE` */
export function beyond({ path, databasePath }: Place): AppError {
  return refusal(
    'JOURNAL_BEYOND_DATABASE',
    `The dial journal ${path} tells of calls for a campaign that ${databasePath} does not know: the database is older than those calls, or has lost its last commits, so nobody is called.`,
    'Put a newer backup in its place, one that has the campaign: `callsheet restore FILE`.',
  );
}

/** `JOURNAL_MISSING` */
export function journalMissing(databasePath: string, path: string): AppError {
  return refusal(
    'JOURNAL_MISSING',
    `The database ${databasePath} has made calls, but its dial journal ${path} is missing, cut short or overwritten: a restored copy could call people again, so nobody is called.`,
    `Put ${path} back beside the database (copy both together). Where it is lost for good, \`callsheet export\` still writes the results; ask the service whom it has called since, and begin a new database (--db) with a list of the others.`,
  );
}

/** `JOURNAL_ELSEWHERE`: a second journal was written under another name of the same database. */
export function elsewhere(stray: string, path: string): AppError {
  return refusal(
    'JOURNAL_ELSEWHERE',
    `The database has two dial journals, ${path} and ${stray} beside a link to it: calls may stand in only one of them, so nobody is called.`,
    `Join them: \`cat ${shellWord(stray)} >> ${shellWord(path)} && mv ${shellWord(stray)} ${shellWord(`${stray}.joined`)}\`, then run again.`,
  );
}

/** `JOURNAL_DAMAGED` */
export function damaged({ path, databasePath }: Place, line: DamagedLine): AppError {
  return refusal(
    'JOURNAL_DAMAGED',
    `${where(path, line)} is damaged: it is not certain whom it names, so nobody is called.`,
    `Check the disk. \`callsheet doctor --db ${shellWord(databasePath)} --mend-journal\` then finds out whom it may name, and counts them as called.`,
  );
}

/** `JOURNAL_NOT_MENDED` */
export function unmendable(path: string, line: DamagedLine): AppError {
  return refusal(
    'JOURNAL_NOT_MENDED',
    `${where(path, line)} is damaged so badly that it could name anybody who is waiting: nothing was changed, and nobody is called.`,
    'Put back a copy of the journal whose line is whole (a disk snapshot may have one). Where there is none, `callsheet export` still writes the results; ask the service whom it has called since, and begin a new database (--db) with a list of the others.',
  );
}

function where(path: string, { at, before, after }: DamagedLine): string {
  const neighbours = [
    ...(before === undefined ? [] : [`after ${dial(before)}`]),
    ...(after === undefined ? [] : [`before ${dial(after)}`]),
  ].join(' and ');
  const number = lineNumber(path, at);
  return `Line ${number} of the dial journal ${path}${neighbours === '' ? '' : ` (${neighbours})`}`;
}

function dial({ seq, intentAt }: JournalEntry): string {
  return `attempt a${seq} of ${new Date(intentAt).toISOString()}`;
}

function refusal(code: string, message: string, hint: string): AppError {
  return new AppError(code, message, { hint, exitCode: EXIT.person });
}
