import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';

import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { csvLine } from '../../domain/lists/spreadsheet.ts';
import { isHeard } from '../../domain/time-units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { usageError } from '../../runtime/errors.ts';
import { beginFile, type PendingFile } from '../../runtime/files.ts';
import { isServerUrl } from '../../runtime/server-url.ts';
import type {
  AddedLeads,
  ImportedLead,
  List,
  NewLead,
  NewSuppression,
  StoppedLead,
  Store,
} from '../../store/port.ts';
import { requireCountry } from '../phone/countries.ts';
import { isFictional } from '../phone/parse-phone.ts';
import { listRows } from '../read/list-rows.ts';
import { batchesOf, inTurns, listChanged, type CsvRow } from '../read/row.ts';
import type { ScannedList } from './first-reading.ts';
import { rowJudge } from './judge-row.ts';
import type { ListRow } from './list-row.ts';
import type { NumberOptions, RowOptions } from './row-numbers.ts';
import { rowRefusal, type rowPersons } from './row-person.ts';

/**
 * Adds rows in one transaction: the good ones and those of people who asked not to be called. Leads of earlier lists
 * that are not done are corrected, or stopped where the row forbids the call. A lead that an earlier import made from
 * the same line stays as it is, even where another `country` would read its number differently.
 * @param resumed true where an earlier import may have added rows of this list
 * @returns the rows; one whose number came with another list is now a duplicate, one whose number must not be called is
 *   now suppressed. `corrected` and `stopped` count leads of earlier lists. `wrote`: false where there was nothing to
 *   add, so the store was only read
 */
export async function addRows(
  store: Store,
  { list, resumed, campaignId, personOf }: ImportInto,
  rows: ListRow[],
) {
  const [from, to] = [rows[0]?.line ?? 1, rows.at(-1)?.line ?? 1];
  const imported = resumed ? await store.importedLeads(list.id, from, to) : [];
  const before = new Map(imported.map((lead) => [lead.line, lead]));
  await suppressRejected(store, list, rows);
  const fresh: NewLead[] = [];
  const judged = rows.map((row) => {
    const lead = before.get(row.line);
    if (lead !== undefined) return asImported(row, lead);
    if (row.kind === 'good') {
      const { phone, line, cells, place, times, alternatives } = row;
      const person = personOf(cells);
      const more = { ...(person && { person }), ...(alternatives && { alternatives }) };
      fresh.push({ phone, line, cells, ...place, ...times, ...more });
    } else if (row.kind === 'suppressed') {
      const { line, cells, phones, refusal, place } = row;
      const person = personOf(cells);
      const [phone, ...others] = phones;
      const doNotCall = { note: `${list.path} line ${line}: ${refusal.text}`, phones };
      const zoneKey = place?.zoneKey ?? '';
      const alternatives = others.map((other) => ({ phone: other, zoneKey }));
      const who = person && { person };
      fresh.push({ phone, line, cells, doNotCall, alternatives, ...place, ...who });
    } else if (row.kind === 'duplicate' && row.phone !== undefined && row.times !== undefined) {
      // The store has the number by an earlier row; it keeps the stricter of the days.
      const { phone, line, cells, times } = row;
      fresh.push({ phone, line, cells, ...times });
    }
    return row;
  });
  const stops = rows.flatMap((row) => stopsOf(list, row));
  const wrote = fresh.length + stops.length > 0;
  // Given to the store at the same moment, they are one transaction.
  const pieces = [...batchesOf(fresh)].map((some) => store.addLeads(list.id, some));
  const answers = await Promise.all(pieces);
  const sum = (of: 'added' | 'corrected' | 'stopped') =>
    answers.reduce((total, answer) => total + answer[of], 0);
  let stopped = sum('stopped');
  // Last, so that of two rows of a person the one that says no holds.
  for (const some of batchesOf(stops))
    stopped += await store.stopLeads(campaignId, list.sha256, some);
  const answered = withAnswers(judged, answers);
  return { added: sum('added'), corrected: sum('corrected'), stopped, rows: answered, wrote };
}

interface ImportInto {
  list: List;
  resumed: boolean;
  campaignId: string;
  /** Who a row is about, by the columns of the list. */
  personOf: ReturnType<typeof rowPersons>;
}

/**
 * Suppresses the numbers of rejected rows that ask not to be called. Done before the leads are added, so that a lead
 * with the same number is suppressed, too.
 */
async function suppressRejected(store: Store, list: List, rows: readonly ListRow[]): Promise<void> {
  const rejected = rows.filter(({ kind }) => kind === 'rejected');
  const entries = rejected.flatMap((row) => optOutsOf(list, row));
  // The store takes at most 1,000 entries at once.
  for (const some of batchesOf(entries)) await store.suppress(some);
}

function asImported(row: ListRow, lead: ImportedLead): ListRow {
  const { line, cells, notes } = row;
  const { phone, suppressed: why } = lead;
  if (why === null) {
    const place = row.kind === 'good' ? row.place : undefined;
    return { kind: 'good', line, cells, notes, phone, fictional: isFictional(phone), place };
  }
  const refusal = { code: 'suppressed', text: `${phone} is ${why}` } as const;
  return { kind: 'suppressed', line, cells, notes, phones: [phone], refusal };
}

function withAnswers(rows: ListRow[], answers: readonly AddedLeads[]): ListRow[] {
  const known = new Map(answers.flatMap((one) => one.duplicates.map((each) => [each.line, each])));
  const ended = new Map(answers.flatMap((one) => one.suppressed.map((lead) => [lead.line, lead])));
  return rows.map((row) => {
    // Rows that ask not to be called keep that reason, whether or not the lead was new.
    if (row.kind !== 'good') return row;
    const { line, cells, notes } = row;
    const end = ended.get(line);
    if (end !== undefined) {
      const refusal = rowRefusal('suppressed', end.phone, end.why);
      return { kind: 'suppressed', line, cells, notes, phones: [end.phone], refusal };
    }
    const first = known.get(line);
    if (first === undefined) return row;
    const refusal = rowRefusal(
      'already_in_campaign',
      first.phone,
      first.firstLine,
      first.firstList,
    );
    return { kind: 'duplicate', line, cells, notes, refusal };
  });
}

/** Rows in a transaction while no runner is at work. */
const ROWS_ALONE = 1_000;

/**
 * The same in a process that does nothing else meanwhile. A transaction writes almost a whole page for each number that
 * comes in no order: with 1,000 rows each, a million rows write 8.8 GB instead of 5.1.
 * A server writes no faster so, and all its writers would wait for seconds.
 */
const ROWS_OF_OWN_PROCESS = 10_000;

/**
 * Rows in a transaction while a runner is at work: they take about as long as one of the runner's own commits, in
 * whatever order their numbers come.
 */
const ROWS_BESIDE = 40;

/** SQLite has no queue for writers: a waiting process retries every few ms, and must then find the database free. */
const REST_MS = 10;

const ASK_AGAIN_MS = 1_000;

/**
 * Leaves most of the database's time to the runners of all its campaigns; without a runner, the import takes all of it.
 * Without this throttle, the slowest 1 % of a runner's commits during an import take 978 ms instead of 45 ms, on a
 * machine with other work.
 */
export async function importThrottle(store: Store, clock: Clock, hasOwnProcess = false) {
  const alone = hasOwnProcess && !isServerUrl(store.name) ? ROWS_OF_OWN_PROCESS : ROWS_ALONE;
  let beside = await anyRunner(store, clock);
  let askedAt = clock.monotonic();
  return {
    rows: () => (beside ? ROWS_BESIDE : alone),
    /** To be awaited after each transaction. */
    rest: async () => {
      if (clock.monotonic() - askedAt >= ASK_AGAIN_MS) {
        beside = await anyRunner(store, clock);
        askedAt = clock.monotonic();
      }
      if (beside) await clock.sleep(REST_MS);
    },
  };
}

async function anyRunner(store: Store, clock: Clock): Promise<boolean> {
  for (const { id, state } of await store.listCampaigns()) {
    if (state === 'draft') continue;
    const runners = await store.runners(id);
    if (runners.some((runner) => isHeard(runner, clock.now()))) return true;
  }
  return false;
}

/** The entries of the suppression list for a row that asks not to be called; empty: it does not ask. */
function optOutsOf({ path, at }: { path: string; at: number }, row: ListRow) {
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

function stopsOf({ path }: { path: string }, row: ListRow): StoppedLead[] {
  if (row.kind !== 'rejected' || row.stops === undefined) return [];
  return [{ phone: row.stops, why: `${path} line ${row.line}: ${row.refusal.text}` }];
}

/**
 * Reads a surveyed list again for the people who asked not to be called, and those who may not be called.
 * @param at when the list was read, epoch ms
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
