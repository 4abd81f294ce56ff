import type { Writable } from 'node:stream';
import { csvLine, spreadsheetLine } from '../domain/lists/csv.ts';
import type { Campaign, CapturedLead, Store } from '../store/port.ts';
import type { Sink } from './formats/format.ts';
import { writeOut } from './output.ts';
import { zonedTime } from '../text/zoned-time.ts';

export interface CapturedLeadsOptions {
  store: Pick<Store, 'capturedLeads'>;
  campaign: Campaign;
  /** A path, or an open stream, which is not ended. */
  to: string | Writable;
  format: 'csv' | 'excel' | 'jsonl';
}

const ROWS_PER_PAGE = 500;

/** Ours come first: which fields a service sends is known only when all have been seen. */
const COLUMNS = [
  'captured_at',
  /** `yes` when its delivery was signed. */
  'captured_signed',
  'call_phone',
  'call_id',
  'call_campaign',
  'call_service',
] as const;

/**
 * Writes the captured leads of a campaign as a table of their own: a row for each, a column for every field
 * that any of them has. A value that is no text or number is written as JSON.
 *
 * @returns how many rows, and the path as it was resolved; null for a stream
 * @throws AppError `RESULTS_NOT_WRITABLE`; what was there before is untouched then
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
  const time = zonedTime(campaign.settings.timezone);
  const own = (lead: CapturedLead) => [
    time(lead.capturedAt),
    lead.signed ? 'yes' : 'no',
    lead.phone,
    lead.callId ?? '',
    campaign.name,
    lead.service,
  ];
  const writeLines = async (toLine: (lead: CapturedLead) => string) => {
    let rows = 0;
    for await (const page of pages(store, campaign.id)) {
      rows += page.length;
      await sink(page.map(toLine).join(''));
    }
    return rows;
  };
  if (format === 'jsonl') {
    return writeLines((lead) => {
      const cells = own(lead);
      const entries = COLUMNS.map((name, i) => [name, cells[i]]);
      return `${JSON.stringify({ ...Object.fromEntries(entries), fields: lead.fields })}\n`;
    });
  }
  const names = new Set<string>();
  for await (const page of pages(store, campaign.id)) {
    for (const { fields } of page) for (const name of Object.keys(fields)) names.add(name);
  }
  const toLine = format === 'excel' ? spreadsheetLine : csvLine;
  await sink((format === 'excel' ? '\ufeff' : '') + toLine([...COLUMNS, ...names]));
  return writeLines((lead) =>
    toLine([...own(lead), ...Array.from(names, (name) => cell(lead.fields[name]))]),
  );
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
