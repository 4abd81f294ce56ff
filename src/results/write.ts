import type { Writable } from 'node:stream';

import type { ResultFormatName } from '../domain/campaign.ts';
import type { LeadResult } from '../domain/lead.ts';
import type { E164 } from '../domain/phone.ts';
import { openSpool } from '../runtime/files.ts';
import type { Campaign, Snapshot, Store } from '../store/port.ts';
import { columnsOf } from './columns.ts';
import type { Sink } from './format.ts';
import { RESULT_FORMATS } from './xlsx.ts';
import { ownColumns, resultRows, type ResultRow } from './rows.ts';
import { writeOut } from './target.ts';

export interface WriteOptions extends Partial<Selection> {
  store: Store;
  campaign: Pick<Campaign, 'id'>;
  /** A path, or an open stream (`-o -`: standard output), which is not ended and whose errors are thrown unchanged. */
  to: string | Writable;
  format: ResultFormatName;
  /** A row per lead, also for leads that were never called, or a row per attempt. Default `lead`. */
  per?: 'lead' | 'attempt';
  /** Names of the wanted columns, in the wanted order; null or left out: all columns. */
  columns?: readonly string[] | null;
}

/**
 * Writes the results of a campaign as they are at one moment, also while the campaign runs. A file appears under its
 * name (mode 0600), in place of an existing one, only when it is complete and on disk. One page of rows is in memory at
 * a time.
 *
 * @returns the number of rows, and the resolved path; null for a stream
 * @throws AppError `RESULTS_NOT_WRITABLE`, `COLUMN_UNKNOWN`, `RESULTS_TOO_LARGE`; an existing file is left untouched
 *   then
 */
export async function writeResults(
  options: WriteOptions,
): Promise<{ rows: number; path: string | null }> {
  const { store, campaign, to, onlyNew = false } = options;
  const given = onlyNew ? await openSpool() : null;
  try {
    const write = (sink: Sink) =>
      store.snapshot(campaign.id, (snapshot) =>
        writeRows(snapshot, options, sink, async (lines) => given?.write(lines)),
      );
    const written = await writeOut(to, write);
    if (given !== null) await keepGiven(store, campaign.id, given.lines());
    return written;
  } finally {
    await given?.close();
  }
}

/** @param onGiven receives a line for each row with `onlyNew`: number, tab, and the version from `exportedAs` */
async function writeRows(
  { campaign, lists, pages }: Snapshot,
  options: WriteOptions,
  sink: Sink,
  onGiven: (lines: string) => Promise<void>,
): Promise<number> {
  const { per = 'lead', columns: wanted = null } = options;
  const { only = null, since = null, night = null, onlyNew = false } = options;
  const own = ownColumns(lists);
  const toRow = resultRows(campaign);
  const columns = columnsOf(own.headers, per, options.format === 'jsonl', wanted);
  const writer = await RESULT_FORMATS[options.format](columns, sink);
  let count = 0;
  const detail = columns.some(({ kind }) => kind === 'extra') ? 'everything' : 'columns';
  for await (const page of pages({ per, detail, withExported: onlyNew })) {
    const rows: ResultRow[] = [];
    let given = '';
    for (const stored of page) {
      const row = toRow(stored, own.cellsOf(stored));
      if (!isSelected({ only, since, night, onlyNew }, row)) continue;
      rows.push(row);
      if (onlyNew) given += `${stored.phone}\t${exportedAs(row)}\n`;
    }
    if (rows.length > 0) await writer.add(rows);
    if (given !== '') await onGiven(given);
    count += rows.length;
  }
  await writer.end();
  return count;
}

/** Which rows are written; null or false does not filter. */
interface Selection {
  /** Only leads with one of these results. */
  only: readonly LeadResult[] | null;
  /** Only where the call began, ended or was settled at this time (epoch ms) or later. */
  since: number | null;
  /** Only the calls of this night; for a row per attempt. */
  night: string | null;
  /** Only leads that are done and whose current result was not written by an earlier export with `--new`. */
  onlyNew: boolean;
}

function isSelected({ only, since, night, onlyNew }: Selection, row: ResultRow): boolean {
  if (only !== null && !only.some((result) => result === row.result)) return false;
  if (since !== null && (row.stored.lastChangeAt ?? -Infinity) < since) return false;
  if (night !== null && (row.stored.attempt?.night ?? '') !== night) return false;
  return !onlyNew || (row.state === 'done' && row.stored.exportedAs !== exportedAs(row));
}

/** The version of a lead: result, best attempt and its state. When one of them changes, the lead is new again. */
function exportedAs({ stored: { attempt }, result }: ResultRow): string {
  return `${result ?? ''} ${attempt?.id ?? '-'} ${attempt?.state ?? '-'}`;
}

const MARKS_AT_A_TIME = 1_000;

/**
 * Records which leads an export with `--new` has written. Done after the export: a crash in between makes the next
 * export write these leads once more, but none is lost.
 *
 * @param lines each a number, a tab and the version from `exportedAs`
 */
async function keepGiven(
  store: Store,
  campaignId: string,
  lines: AsyncIterable<string>,
): Promise<void> {
  let batch: { phone: E164; as: string }[] = [];
  for await (const line of lines) {
    const at = line.indexOf('\t');
    batch.push({ phone: line.slice(0, at) as E164, as: line.slice(at + 1) });
    if (batch.length < MARKS_AT_A_TIME) continue;
    await store.markExported(campaignId, batch);
    batch = [];
  }
  if (batch.length > 0) await store.markExported(campaignId, batch);
}
