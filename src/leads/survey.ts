import type { E164 } from '../domain/phone.ts';
import { requireCountry } from './countries.ts';
import { readRows, scanList, type ScannedList } from './read-list.ts';
import { countRow, newCounts, type RowCounts } from './tally.ts';

export interface SurveyOptions {
  /** ISO 3166 country of numbers without `+`; null: such rows are rejected. */
  country: string | null;
  /** Rejects numbers of ranges kept for fiction, as a live service needs it. Default false. */
  refuseFictional?: boolean;
  /** Collects the numbers of the good rows; about 100 bytes each. Default false. */
  collectPhones?: boolean;
}

export interface Survey extends RowCounts {
  /** The list as it was read, for an import right after it. */
  scanned: ScannedList;
  path: string;
  sha256: string;
  headers: string[];
  /** Header of the column that holds the number to call. */
  phoneColumn: string;
  /** Headers of further columns that look like numbers; they are not called. */
  otherPhoneColumns: string[];
  /** Header of the column that gives the country of a number without `+`, or null. */
  countryColumn: string | null;
  /** The numbers of the good rows; null unless asked for. */
  phones: Set<E164> | null;
}

/**
 * Reads a list as `importList` does, and writes nothing.
 *
 * @throws AppError `LIST_NOT_FOUND`, `LIST_EMPTY`, `LIST_UNREADABLE`, `LIST_HAS_NO_PHONE_COLUMN`,
 *   `LIST_CHANGED`, `COUNTRY_UNKNOWN`
 */
export async function surveyList(path: string, options: SurveyOptions): Promise<Survey> {
  const country = options.country === null ? null : requireCountry(options.country);
  const list = await scanList(path);
  const counts = newCounts();
  const phones = options.collectPhones === true ? new Set<E164>() : null;
  const rowOptions = { country, refuseFictional: options.refuseFictional === true };
  for await (const row of readRows(list, rowOptions)) {
    countRow(counts, row);
    if (row.kind === 'good') phones?.add(row.phone);
  }
  return { ...counts, ...describeList(list), scanned: list, path, sha256: list.sha256, phones };
}

/** How the columns of a list are taken, by their headers. */
export function describeList({
  headers,
  columns,
}: Pick<Awaited<ReturnType<typeof scanList>>, 'headers' | 'columns'>) {
  return {
    headers,
    phoneColumn: headers[columns.phone] ?? '',
    otherPhoneColumns: columns.otherPhones,
    countryColumn: columns.country === null ? null : (headers[columns.country] ?? null),
  };
}
