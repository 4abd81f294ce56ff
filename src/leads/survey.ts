import type { NumberPolicy } from '../domain/campaign.ts';
import type { E164 } from '../domain/phone.ts';
import type { PhoneFacts } from '../store/port.ts';
import { withFacts } from './add-rows.ts';
import { requireCountry } from './countries.ts';
import { inChunks } from './in-chunks.ts';
import { PhoneTable } from './phone-table.ts';
import { readRows } from './read-list.ts';
import { scanList, type ScannedList, type ScanOptions } from './scan-list.ts';
import { countRow, newCounts, type RowCounts } from './tally.ts';

export interface SurveyOptions extends ScanOptions {
  /** ISO 3166 country of numbers without `+`; null: such rows are rejected. */
  country: string | null;
  policy?: NumberPolicy | undefined;
  /** Rejects numbers of ranges kept for fiction, as a live service needs it. Default false. */
  refuseFictional?: boolean;
  /** Collects all numbers that can be called, and those of people who asked not to be. Default false. */
  collectPhones?: boolean;
  /** What the store knows of numbers, in their order; default: nothing. */
  lookUp?: ((phones: E164[]) => Promise<PhoneFacts[]>) | undefined;
  /** Told every 1,000 rows how many are behind us. */
  onProgress?: ((rows: { done: number; total: number }) => void) | undefined;
}

export interface Survey extends RowCounts {
  /** The list as it was read, for an import right after it. */
  scanned: ScannedList;
  path: string;
  sha256: string;
  headers: string[];
  /** Header of the column that holds the number to call. */
  phoneColumn: string;
  /** Headers of further columns with numbers, in the order in which they are tried where that one has none. */
  otherPhoneColumns: string[];
  /** Header of the column that gives the country of a number without `+`, or null. */
  countryColumn: string | null;
  /** Good rows whose number the campaign does not have yet. */
  fresh: number;
  /** The numbers of the list; null unless asked for. */
  phones: PhoneTable | null;
}

const ROWS_AT_ONCE = 1_000;

/**
 * Reads a list as `importList` does, and writes nothing.
 *
 * @throws AppError those of `scanList`, `LIST_CHANGED`, `COUNTRY_UNKNOWN`
 */
export async function surveyList(path: string, options: SurveyOptions): Promise<Survey> {
  const country = options.country === null ? null : requireCountry(options.country);
  const list = await scanList(path, options);
  const counts = newCounts();
  const phones = options.collectPhones === true ? new PhoneTable() : null;
  const rowOptions = {
    country,
    policy: options.policy,
    refuseFictional: options.refuseFictional === true,
  };
  let fresh = 0;
  for await (const chunk of inChunks(readRows(list, rowOptions), ROWS_AT_ONCE)) {
    const good = chunk.flatMap((row) => (row.kind === 'good' ? [row.phone] : []));
    const facts = await options.lookUp?.(good);
    fresh += facts === undefined ? good.length : facts.filter(isFresh).length;
    for (const row of chunk) {
      if (row.kind === 'good') phones?.add(row.phone, row.line);
      else if (row.kind === 'suppressed') phones?.add(row.phones[0], row.line);
    }
    const rows = facts === undefined ? chunk : withFacts(chunk, facts, list.sha256);
    for (const row of rows) countRow(counts, row);
    options.onProgress?.({ done: counts.rows, total: list.rows });
  }
  const { sha256 } = list;
  return { ...counts, ...describeList(list), scanned: list, path, sha256, fresh, phones };
}

/** How the columns of a list are taken, by their headers. */
export function describeList({ headers, mapping }: Pick<ScannedList, 'headers' | 'mapping'>) {
  const [first, ...others] = mapping.phones.map((index) => headers[index] ?? '');
  const { country } = mapping.fields;
  return {
    headers,
    phoneColumn: first ?? '',
    otherPhoneColumns: others,
    countryColumn: country === undefined ? null : (headers[country] ?? null),
  };
}

function isFresh({ known, suppressed }: PhoneFacts): boolean {
  return known === null && suppressed === null;
}
