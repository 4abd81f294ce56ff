import { AppError, EXIT } from '../../runtime/errors.ts';
import { shellWord } from '../../text/wording.ts';
import type { JournalEntry } from '../claims.ts';
import type { DamagedLine } from '../sql/claim/possible-dials.ts';
import { notesInFile, restoreStatements, type JournalNotes } from '../sql/claim/restore-dials.ts';
import type { Sql } from '../sql/sql.ts';
import { lineNumber } from './journal-lines.ts';
import { readJournal, type JournalContent } from './journal.ts';

export interface JournalOf {
  /** Path of the journal. */
  path: string;
  /** What the operator calls the database. */
  database: string;
  /** What the journal's first line must name. */
  id: string;
  /** What is kept of the last comparison; default: in the database file. */
  notes?: JournalNotes;
}

/**
 * Compares the dial journal with the attempts. A line without a row shows a dial that the database does not have any
 * more (it is an older copy, or lost its last commits): the dial is added as an `unknown` attempt, so that nobody is
 * called again. When a line is damaged, the other lines are still recovered.
 * @param options.mendAt the time now: everybody a damaged line may be about counts as called; without it the line is an
 *   error
 * @param options.onRecovered called with the number of attempts that were added, if any, also before damage is thrown
 * @param options.onMended called with the outcome once the changes are committed
 * @returns how many attempts were added
 * @throws AppError `JOURNAL_MISSING`, `JOURNAL_OF_ANOTHER_DATABASE`, `JOURNAL_BEYOND_DATABASE`, `JOURNAL_DAMAGED`,
 *   `JOURNAL_NOT_MENDED` (exit 5): where the journal cannot be matched, dialling is refused
 */
export function recoverFromJournal(
  sql: Sql,
  { path, database, id, notes = notesInFile(sql) }: JournalOf,
  options: {
    mendAt?: number | undefined;
    onRecovered?: ((attempts: number) => void) | undefined;
    onMended?: ((mended: Mended) => void) | undefined;
  } = {},
): number {
  const { mendAt, onRecovered, onMended } = options;
  const { restore } = restoreStatements(sql, notes);
  const { dialled, verified, tail } = notes.read();
  const journal = readJournal(path, verified);
  const place = { path, database, id };
  if (journal === undefined) {
    if (dialled) throw journalMissing(place);
    return 0;
  }
  try {
    if (journal.databaseId !== null && journal.databaseId !== id) throw foreign(place);
    if (dialled && (journal.databaseId === null || journal.size < verified)) {
      throw journalMissing(place);
    }
    if (tail !== undefined && tail !== journal.tailBefore(verified)) throw journalMissing(place);
    const { restored, damage, lines, taken } = restore({
      mendAt,
      read: (use) => readLines(journal, place, use),
      readTo: journal.readTo,
      tailBefore: journal.tailBefore,
      refusals: {
        beyond: () => beyond(place),
        missing: () => journalMissing(place),
        unmendable: (line) => unmendable(path, line),
      },
    });
    if (restored > 0) onRecovered?.(restored);
    if (damage !== undefined) throw damaged(place, damage);
    if (mendAt !== undefined) onMended?.({ path, lines, taken });
    return restored;
  } finally {
    journal.close();
  }
}

export interface Mended {
  /** Path of the journal. */
  path: string;
  lines: number;
  /** People who now count as called, because a damaged line may be about them. */
  taken: number;
}

type Place = Omit<JournalOf, 'notes'>;

/** Calls `use` for every dial. @returns the damaged lines with their neighbours, and the last dial */
function readLines(journal: JournalContent, place: Place, use: (entry: JournalEntry) => void) {
  const damage: DamagedLine[] = [];
  let sinceLast: DamagedLine[] = [];
  let last: JournalEntry | undefined;
  let before: JournalEntry | undefined;
  for (const line of journal.lines) {
    if (line.kind === 'header' && line.databaseId !== place.id) throw foreign(place);
    if (line.kind === 'damaged') {
      if (damage.length === 0) before ??= journal.dialBefore();
      const found = { ...line, before, after: undefined };
      damage.push(found);
      sinceLast.push(found);
    }
    if (line.kind !== 'dial') continue;
    last = before = line.entry;
    for (const each of sinceLast) each.after = last;
    sinceLast = [];
    use(line.entry);
  }
  return { damage, last };
}

/** Errors that stop all calls while the dial journal does not match its database; each needs a person (exit 5). */

function foreign({ path, database }: Place): AppError {
  return refusal(
    'JOURNAL_OF_ANOTHER_DATABASE',
    `The dial journal ${path} belongs to a database other than ${database}: it is not known here whom that one called, so nobody is called.`,
    'Put the old database back beside its journal (`callsheet restore FILE` does, from a backup), or give the new one a path of its own with --db.',
  );
}

function beyond({ path, database }: Place): AppError {
  return refusal(
    'JOURNAL_BEYOND_DATABASE',
    `The dial journal ${path} tells of calls for a campaign that ${database} does not know: the database is older than those calls, or has lost its last commits, so nobody is called.`,
    'Put a newer backup in its place, one that has the campaign: `callsheet restore FILE`.',
  );
}

function journalMissing({ path, database }: Place): AppError {
  return refusal(
    'JOURNAL_MISSING',
    `The database ${database} has made calls, but its dial journal ${path} is missing, cut short or overwritten: a restored copy could call people again, so nobody is called.`,
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

function damaged({ path, database }: Place, line: DamagedLine): AppError {
  return refusal(
    'JOURNAL_DAMAGED',
    `${where(path, line)} is damaged: it is not certain whom it names, so nobody is called.`,
    `Check the disk. \`callsheet doctor --db ${shellWord(database)} --mend-journal\` then finds out whom it may name, and counts them as called.`,
  );
}

function unmendable(path: string, line: DamagedLine): AppError {
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
