import type { Writable } from 'node:stream';
import type { Campaign, CapturedLead, Store } from '../store/port.ts';
import type { Column } from './columns.ts';
import type { Sink } from './format.ts';
import { RESULT_FORMATS } from './xlsx.ts';
import { writeOut } from './target.ts';
import { zonedTime } from '../text/times.ts';
import { own } from '../domain/safe-text.ts';

export interface CapturedLeadsOptions {
  store: Pick<Store, 'capturedLeads'>;
  campaign: Campaign;
  /** A path, or an open stream, which is not ended. */
  to: string | Writable;
  format: 'csv' | 'excel' | 'jsonl';
}

const ROWS_PER_PAGE = 500;

/**
 * Writes the captured leads of a campaign as a separate table: a row for each captured lead, a column for every field
 * that any of them has. A value that is neither text nor a number is written as JSON.
 *
 * @returns the number of rows, and the resolved path; null for a stream
 * @throws AppError `RESULTS_NOT_WRITABLE`; an existing file is left untouched then
 */
export async function writeCapturedLeads(
  options: CapturedLeadsOptions,
): Promise<{ rows: number; path: string | null }> {
  return writeOut(options.to, (sink) => writeRows(options, sink));
}

async function writeRows(
  { store, campaign, format }: CapturedLeadsOptions,
  sink: Sink,
): Promise<number> {
  // The `call_` and `captured_` columns come first, as the fields of the service are known only after a first pass.
  const columns = ownColumns(campaign);
  if (format === 'jsonl') {
    columns.push({ kind: 'extra', name: 'fields', value: ({ fields }) => fields });
  } else {
    const names = new Set<string>();
    for await (const page of pages(store, campaign.id)) {
      for (const { fields } of page) for (const name of Object.keys(fields)) names.add(name);
    }
    for (const name of names) {
      columns.push({ kind: 'call', name, value: ({ fields }) => cell(own(fields, name)) });
    }
  }
  const writer = await RESULT_FORMATS[format](columns, sink);
  let rows = 0;
  for await (const page of pages(store, campaign.id)) {
    rows += page.length;
    await writer.add(page);
  }
  await writer.end();
  return rows;
}

function ownColumns({ name, settings }: Campaign): Column<CapturedLead>[] {
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

async function* pages(
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

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
