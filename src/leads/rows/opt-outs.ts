import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';

import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { csvLine } from '../../domain/lists/spreadsheet.ts';
import { usageError } from '../../runtime/errors.ts';
import { beginFile, type PendingFile } from '../../runtime/files.ts';
import type { NewSuppression, StoppedLead } from '../../store/port.ts';
import { requireCountry } from '../phone/countries.ts';
import { listRows } from '../read/list-rows.ts';
import { inTurns, listChanged, type CsvRow } from '../read/row.ts';
import type { ScannedList } from './first-reading.ts';
import { rowJudge } from './judge-row.ts';
import type { ListRow } from './list-row.ts';
import type { NumberOptions, RowOptions } from './row-numbers.ts';

/** The entries of the suppression list for a row that asks not to be called; empty: it does not ask. */
export function optOutsOf({ path, at }: { path: string; at: number }, row: ListRow) {
  const asked =
    row.kind === 'suppressed'
      ? { phones: row.phones, note: row.refusal.text }
      : row.kind === 'rejected'
        ? row.doNotCall
        : undefined;
  if (asked === undefined) return [];
  const note = `${path} line ${row.line}: ${asked.note}`;
  const by = { source: 'list', who: 'callsheet', list: path } as const;
  return asked.phones.map((phone): NewSuppression => ({ ...by, phone, at, note, expiresAt: null }));
}

/** The leads that the list stops. */
export function stopsOf({ path }: { path: string }, row: ListRow): StoppedLead[] {
  if (row.kind !== 'rejected' || row.stops === undefined) return [];
  return [{ phone: row.stops, why: `${path} line ${row.line}: ${row.refusal.text}` }];
}

/**
 * Reads a surveyed list again for the people who asked not to be called, and those who may not be called.
 * @param at when the list was read, epoch ms
 * @throws AppError those of `readRows`, `COUNTRY_UNKNOWN`
 */
export async function* optOutsIn(
  list: ScannedList,
  { at, ...options }: NumberOptions & { at: number },
): AsyncGenerator<{ entries: NewSuppression[]; stops: StoppedLead[] }> {
  const country = options.country === null ? null : requireCountry(options.country);
  for await (const rows of readRows(list, { ...options, country, now: at }))
    yield {
      entries: rows.flatMap((row) => optOutsOf({ path: list.path, at }, row)),
      stops: rows.flatMap((row) => stopsOf(list, row)),
    };
}

/**
 * The judged rows of a surveyed list, in batches: from memory, or read from the file again where the list is long.
 * @throws AppError `LIST_CHANGED` after the last row of a list too long to be kept in memory, when the file's bytes are
 *   not those that were scanned
 */
export async function* readRows(list: ScannedList, options: RowOptions): AsyncGenerator<ListRow[]> {
  const judge = rowJudge(list, options);
  const { rows } = list.memory;
  for await (const piece of rows === null ? readAgain(list) : inTurns([rows])) {
    const data = piece.filter((row) => row.line > list.headerLine);
    yield data.map(judge);
  }
}

async function* readAgain(list: ScannedList): AsyncGenerator<CsvRow[]> {
  const hash = createHash('sha256');
  yield* listRows(list.file, list.format, (bytes) => hash.update(bytes));
  if (hash.digest('hex') !== list.sha256) throw listChanged(list.path);
}

export interface RejectedRow {
  line: number;
  cells: readonly string[];
  reason: string;
}

/**
 * The rows of a list that were not taken, as `<folder>/<list>-<date>.csv` (mode 0600): the original row under the
 * original headers, then `line` and `reason`. An existing file of that name with other bytes is never touched: the new
 * file gets the next free number (`-2`, `-3` ...). An existing file with the same bytes is used as it is, so that
 * repeated imports do not pile up files.
 * @param list its path, the time of its first import (epoch ms) and its headers
 * @throws AppError `REJECTS_NOT_WRITABLE`
 */
export function openRejects(
  folder: string,
  list: { path: string; at: number; headers: readonly string[] },
) {
  const date = new Date(list.at).toISOString().slice(0, 10);
  const stem = `${basename(list.path, extname(list.path))}-${date}`;
  let file: PendingFile | undefined;

  return {
    /** Rows come in the order of the list. */
    add: (rows: readonly RejectedRow[]) =>
      explained(async () => {
        if (rows.length === 0) return;
        if (file === undefined) {
          file = await beginFile(join(folder, `${stem}.csv`));
          await file.write(csvLine([...list.headers, 'line', 'reason']));
        }
        const lines = rows.map(({ line, cells, reason }) =>
          csvLine([...cells, String(line), reason]),
        );
        await file.write(lines.join(''));
      }),
    /** Renames the file to its final name and returns that path; null when there was nothing to write. */
    keep: () => explained(async () => (file === undefined ? null : place(file))),
    /** Removes what was written, unless it was kept. */
    discard: async () => {
      await file?.discard();
    },
  };

  async function place(pending: PendingFile): Promise<string> {
    for (let n = 1; ; n++) {
      const path = join(folder, n === 1 ? `${stem}.csv` : `${stem}-${n}.csv`);
      if (await reserve(path)) {
        await pending.commit(path);
        return path;
      }
      if ((await hashOf(path)) === (await hashOf(pending.temporaryPath))) {
        await pending.discard();
        return path;
      }
    }
  }

  async function explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { is } = fileTroubleOf(error, 'written');
      const what = `The rows that were not taken cannot be kept: their folder ${folder} ${is}.`;
      throw usageError(
        'REJECTS_NOT_WRITABLE',
        what,
        'make the folder writable, or make room, and run the same command again: the import goes on where it was',
        error,
      );
    }
  }
}

/** Reserves the name with an empty file until the rename. @returns false when a file of this name exists */
async function reserve(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) hash.update(bytes);
  return hash.digest('hex');
}
