import type { NewSuppression, StoppedLead } from '../../store/port.ts';
import { requireCountry } from '../phone/countries.ts';
import type { ScannedList } from './first-reading.ts';
import type { ListRow } from './list-row.ts';
import type { NumberOptions } from './row-numbers.ts';
import { readRows } from './second-reading.ts';

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

/** The leads that a row stops: the list does not let them be called any more. */
export function stopsOf({ path }: { path: string }, row: ListRow): StoppedLead[] {
  if (row.kind !== 'rejected' || row.stops === undefined) return [];
  return [{ phone: row.stops, why: `${path} line ${row.line}: ${row.refusal.text}` }];
}

/**
 * Reads a surveyed list again for the people who ask not to be called, and those who may not be.
 *
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
