import type { Writable } from 'node:stream';

import type { ResultFormatName } from '../domain/campaign.ts';
import type { LeadResult } from '../domain/lead.ts';
import type { E164 } from '../domain/phone.ts';
import { own } from '../domain/safe-text.ts';
import { openSpool } from '../runtime/files.ts';
import type { Campaign, CapturedLead, Snapshot, Store } from '../store/port.ts';
import { zonedTime } from '../text/times.ts';
import { columnsOf, ownColumns, resultRows, type Column, type ResultRow } from './columns.ts';
import type { Sink } from './format.ts';
import { writeOut } from './target.ts';
import { RESULT_FORMATS } from './xlsx.ts';

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
  const { only = null, since = null, night = null, onlyNew = false, phones = null } = options;
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
      if (!isSelected({ only, since, night, onlyNew, phones }, row)) continue;
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
  only: readonly LeadResult[] | null;
  /** Only where the call began, ended or was settled at this time (epoch ms) or later. */
  since: number | null;
  /** Only the calls of this night; for a row per attempt. */
  night: string | null;
  /** Only leads that are done and whose current result was not written by an earlier export with `--since-last`. */
  onlyNew: boolean;
  phones: ReadonlySet<E164> | null;
}

function isSelected({ only, since, night, onlyNew, phones }: Selection, row: ResultRow): boolean {
  if (only !== null && !only.some((result) => result === row.result)) return false;
  if (phones?.has(row.stored.phone) === false) return false;
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
 * Records which leads an export with `--since-last` has written. Done after the export: a crash in between makes the next
 * export write these leads once more, but none is lost.
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

interface CapturedLeadsOptions extends Pick<WriteOptions, 'to'> {
  store: Pick<Store, 'capturedLeads'>;
  campaign: Campaign;
  format: 'csv' | 'excel' | 'jsonl';
}

const ROWS_PER_PAGE = 500;

/**
 * Writes the captured leads of a campaign as a separate table: a row for each captured lead, a column for every field
 * that any of them has. A value that is neither text nor a number is written as JSON.
 * @returns the number of rows, and the resolved path; null for a stream
 * @throws AppError `RESULTS_NOT_WRITABLE`; an existing file is left untouched then
 */
export async function writeCapturedLeads(
  options: CapturedLeadsOptions,
): Promise<{ rows: number; path: string | null }> {
  return writeOut(options.to, (sink) => writeLeads(options, sink));
}

async function writeLeads(
  { store, campaign, format }: CapturedLeadsOptions,
  sink: Sink,
): Promise<number> {
  // The `call_` and `captured_` columns come first, as the fields of the service are known only after a first pass.
  const columns = leadColumns(campaign);
  if (format === 'jsonl') {
    columns.push({ kind: 'extra', name: 'fields', value: ({ fields }) => fields });
  } else {
    const names = new Set<string>();
    for await (const page of leadPages(store, campaign.id)) {
      for (const { fields } of page) for (const name of Object.keys(fields)) names.add(name);
    }
    for (const name of names) {
      columns.push({ kind: 'call', name, value: ({ fields }) => leadCell(own(fields, name)) });
    }
  }
  const writer = await RESULT_FORMATS[format](columns, sink);
  let rows = 0;
  for await (const page of leadPages(store, campaign.id)) {
    rows += page.length;
    await writer.add(page);
  }
  await writer.end();
  return rows;
}

function leadColumns({ name, settings }: Campaign): Column<CapturedLead>[] {
  const time = zonedTime(settings.timezone);
  const values: Record<string, (lead: CapturedLead) => string> = {
    captured_at: ({ capturedAt }) => time(capturedAt),
    /** Whether the delivery that brought the lead was signed. */
    captured_signed: ({ signed }) => (signed ? 'yes' : 'no'),
    call_phone: ({ phone }) => phone,
    call_id: ({ callId }) => callId ?? '',
    call_campaign: () => name,
    call_service: ({ service }) => service,
  };
  return Object.entries(values).map(([name, value]) => ({ kind: 'call', name, value }));
}

async function* leadPages(
  store: Pick<Store, 'capturedLeads'>,
  campaignId: string,
): AsyncGenerator<CapturedLead[]> {
  let after: string | null = null;
  for (;;) {
    const page: CapturedLead[] = await store.capturedLeads(campaignId, after, ROWS_PER_PAGE);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.cursor;
  }
}

function leadCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
