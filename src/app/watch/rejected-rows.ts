import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../runtime/errors.ts';
import { csvRows } from '../../leads/read/csv-rows.ts';

/** A row of a list that was not taken, as its rejects file has it. */
interface RejectedRow {
  file: string;
  /** The line of the list. */
  line: string;
  reason: string;
}

/** At most this many rows are told. */
const MOST_ROWS = 3;
/** A text with fewer digits than this is no phone number. */
const SHORTEST_NUMBER = 7;

/**
 * What is said of rejected rows to somebody who has looked in vain for a number, or for a text in a cell. The database
 * does not have these rows: their files are beside it, one of each import.
 *
 * @returns sentences; empty: no import has left a row
 */
export async function rejectedSentences(databasePath: string, who: string): Promise<string[]> {
  const folder = join(dirname(databasePath), 'rejects');
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.csv'))
    : [];
  if (files.length === 0) return [];
  const rows: RejectedRow[] = [];
  for (const file of files.toSorted()) {
    for await (const row of rowsOf(join(folder, file), who)) {
      if (rows.length < MOST_ROWS) rows.push(row);
    }
  }
  if (rows.length === 0)
    return [`Rows that imports did not take are in ${folder}; no row there has it either.`];
  return rows.map(
    ({ file, line, reason }) =>
      `Line ${line} of its list has it and was not taken: ${reason} (kept in ${file}).`,
  );
}

async function* rowsOf(path: string, who: string): AsyncGenerator<RejectedRow> {
  let isHeader = true;
  try {
    for await (const rows of csvRows(path, { delimiter: ',', encoding: 'utf-8' })) {
      for (const { cells } of rows) {
        const [line = '', reason = ''] = cells.slice(-2);
        const own = cells.slice(0, -2);
        if (!isHeader && own.some((cell) => matches(cell, who))) yield { file: path, line, reason };
        isHeader = false;
      }
    }
  } catch (error) {
    // Somebody is mending the file and has left it unreadable: its folder is named all the same.
    if (!(error instanceof AppError)) throw error;
  }
}

/** The same number, perhaps without its country code on one of both sides; or the text in the cell. */
function matches(cell: string, who: string): boolean {
  const [have, want] = [numberIn(cell), numberIn(who)];
  if (want === null) return cell.toLowerCase().includes(who.trim().toLowerCase());
  return have !== null && (have.endsWith(want) || want.endsWith(have));
}

function numberIn(text: string): string | null {
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return /^[+\d\s()./x-]+$/i.test(text.trim()) && digits.length >= SHORTEST_NUMBER ? digits : null;
}
