import type { Writable } from 'node:stream';
import { csvLine, spreadsheetLine } from '../domain/lists/csv.ts';
import { beginFile } from '../runtime/replace-file.ts';
import type { Campaign, CapturedLead, Store } from '../store/port.ts';
import { explained, resolveTarget } from './target.ts';
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
  const { to } = options;
  if (typeof to !== 'string') {
    const rows = await writeRows(options, (text) => writeTo(to, text));
    return { rows, path: null };
  }
  const path = await resolveTarget(to);
  const file = await explained(to, () => beginFile(path));
  try {
    const rows = await writeRows(options, (text) => explained(to, () => file.write(text)));
    await explained(to, () => file.commit(path));
    return { rows, path };
  } finally {
    await file.discard();
  }
}

async function writeRows(
  { store, campaign, format }: CapturedLeadsOptions,
  write: (text: string) => Promise<void>,
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
  let rows = 0;
  if (format === 'jsonl') {
    for await (const page of pages(store, campaign.id)) {
      rows += page.length;
      const lines = page.map((lead) => {
        const cells = own(lead);
        const entries = COLUMNS.map((name, i) => [name, cells[i]]);
        return `${JSON.stringify({ ...Object.fromEntries(entries), fields: lead.fields })}\n`;
      });
      await write(lines.join(''));
    }
    return rows;
  }
  const names = new Set<string>();
  for await (const page of pages(store, campaign.id)) {
    for (const { fields } of page) for (const name of Object.keys(fields)) names.add(name);
  }
  const toLine = format === 'excel' ? spreadsheetLine : csvLine;
  await write((format === 'excel' ? '\ufeff' : '') + toLine([...COLUMNS, ...names]));
  for await (const page of pages(store, campaign.id)) {
    rows += page.length;
    const lines = page.map((lead) =>
      toLine([...own(lead), ...Array.from(names, (name) => cell(lead.fields[name]))]),
    );
    await write(lines.join(''));
  }
  return rows;
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

/** Waits until the stream has taken the text, so that a slow reader slows us and fills no memory. */
function writeTo(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error == null) resolve();
      else reject(error);
    });
  });
}
