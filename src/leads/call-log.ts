import { plainMobile } from '../domain/same-call.ts';
import type { LoggedCall } from '../domain/resolution.ts';
import { type AppError, usageError } from '../runtime/errors.ts';
import { listed } from './columns/column-choices.ts';
import { requireCountry } from './phone/countries.ts';
import { csvRows, sniffDelimiter } from './read/csv-rows.ts';
import { boundOf, withinColumns } from './read/row.ts';
import { readHead } from './read/list-text.ts';
import { normalizeHeader } from '../text/fold-words.ts';
import { hasPlus } from './phone/column-styles.ts';
import { parsePhone } from './phone/parse-phone.ts';

interface CallLog {
  /** How many calls could be read. */
  read: number;
  /** Those to the numbers that were asked for. */
  calls: LoggedCall[];
  /** The first rows that were left out: line and reason. */
  problems: string[];
  /** Number of rows left out. */
  unread: number;
}

/** Accepted headers for each column; where a file has several of them, the first in this order is used. */
const HEADERS = {
  phone: ['number', 'phone', 'phone number', 'to', 'to number', 'callee', 'destination'],
  callId: ['call id', 'callid', 'call sid', 'call uuid', 'id'],
  startedAt: 'started at,start time,started,start,time,timestamp,date,created at'.split(','),
} as const;

const PROBLEMS_SHOWN = 3;

/**
 * Reads a provider's own call log (CSV) and finds its columns by their headers. A time needs a zone (`Z`, an offset,
 * `UTC` in the header) or is epoch seconds or milliseconds. A row that cannot be read is left out and reported.
 * @param country ISO 3166, of numbers without `+`; null: rows with such numbers are left out
 * @param of the numbers whose calls are kept, as `plainMobile` writes them
 */
export async function readCallLog(
  path: string,
  country: string | null,
  of: ReadonlySet<string>,
): Promise<CallLog> {
  const home = country === null ? null : requireCountry(country);
  const { head, encoding } = await readHead(path);
  const shape = { encoding, delimiter: sniffDelimiter(head) };
  const log: CallLog = { read: 0, calls: [], problems: [], unread: 0 };
  const refuseMany = boundOf(path);
  let columns: ReturnType<typeof findColumns> | undefined;
  for await (const { line, cells } of rowsOf(path, shape)) {
    if (columns === undefined) {
      columns = findColumns(path, cells);
      continue;
    }
    const { phone, callId, startedAt, isUtc } = columns;
    const leaveOut = (why: string) => {
      log.unread += 1;
      if (log.problems.length < PROBLEMS_SHOWN) log.problems.push(`line ${line}: ${why}`);
    };
    const at = timeOf(cells[startedAt] ?? '', isUtc);
    const id = (cells[callId] ?? '').trim();
    if (id === '') {
      leaveOut('the call has no id');
      continue;
    }
    // The service has called these numbers: behind a `+` their country code is there.
    const cell = cells[phone] ?? '';
    const parsed = parsePhone(cell, hasPlus(cell) ? null : home);
    if (!parsed.ok) leaveOut(parsed.refusal.text);
    else if (at === undefined) {
      leaveOut(
        `"${(cells[startedAt] ?? '').slice(0, 40)}" is no time with a zone, such as 2026-01-05T15:00:00Z`,
      );
    } else {
      log.read += 1;
      if (of.has(plainMobile(parsed.phone)))
        log.calls.push({ line, phone: parsed.phone, callId: id, startedAt: at });
    }
    refuseMany(log.read + log.unread);
  }
  if (columns === undefined) throw noColumn(path, 'phone', []);
  return log;
}

async function* rowsOf(path: string, shape: Parameters<typeof csvRows>[1]) {
  for await (const rows of csvRows(path, shape)) yield* withinColumns(path, rows);
}

function findColumns(path: string, headers: readonly string[]) {
  // A longer text is no name, and a megabyte of it takes 0.2 s.
  const plain = headers.map((header) => normalizeHeader(header.slice(0, 200)));
  const bare = plain.map((header) => header.replace(/ (utc|gmt)$/, ''));
  const find = (what: keyof typeof HEADERS) => {
    for (const name of HEADERS[what]) {
      const index = bare.indexOf(name);
      if (index !== -1) return index;
    }
    throw noColumn(path, what, headers);
  };
  const startedAt = find('startedAt');
  // A header such as `Start time (UTC)` gives the zone of times that name none.
  const isUtc = plain[startedAt] !== bare[startedAt];
  return { phone: find('phone'), callId: find('callId'), startedAt, isUtc };
}

const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)/;

function timeOf(cell: string, isUtc: boolean): number | undefined {
  const text = cell.trim();
  if (/^\d{10}(\.\d+)?$/.test(text)) return Math.floor(Number(text) * 1_000);
  if (/^\d{13}$/.test(text)) return Number(text);
  const [local, day, time] = LOCAL_TIME.exec(text) ?? [];
  if (local === undefined || day === undefined || time === undefined) return undefined;
  const rest = text.slice(local.length).trim().toUpperCase();
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(rest) ?? [];
  const named = ['Z', 'UTC', 'GMT'].includes(rest) || (rest === '' && isUtc) ? 'Z' : undefined;
  const offset = sign === undefined ? named : `${sign}${hours ?? ''}:${minutes}`;
  const at = offset === undefined ? NaN : Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(at) ? undefined : at;
}

function noColumn(path: string, what: keyof typeof HEADERS, headers: readonly string[]): AppError {
  const noun = { phone: 'number', callId: 'call id', startedAt: 'time' }[what];
  const has = headers.length === 0 ? 'it is empty' : `its columns are ${listed(headers)}`;
  return usageError(
    'LOG_HAS_NO_COLUMN',
    `${path} has no column for the ${noun}: ${has}; allowed names are ${HEADERS[what].join(', ')}.`,
    'rename the column in its first line, then resolve again',
  );
}
