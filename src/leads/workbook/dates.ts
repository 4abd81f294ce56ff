import { DAY_MS } from '../../domain/time-units.ts';

/** 9999-12-31, the last day that a workbook knows (its serial in the 1900 system). */
const LAST_DAY = 2_958_465;

/** Days between the two date systems: serial 0 of the 1904 system is serial 1462 of the 1900 system. */
const FROM_1904 = 1_462;

/**
 * Converts a serial number to a day and a time of day, to the millisecond: the integer part counts days, the fraction
 * is the time (ECMA-376 part 1, 18.17.4). In the 1900 system serial 1 is 1900-01-01, and serial 60 is 1900-02-29, a day
 * that did not exist but that spreadsheets show; in the 1904 system serial 0 is 1904-01-01.
 *
 * @returns `2026-01-05` and `10:30:00` or `10:30:00.250`; `day` is null for serials below 1 of the 1900 system, `time`
 *   is null at midnight of a day. Undefined for a serial that is negative or after 9999-12-31
 */
export function momentOf(serial: number, is1904: boolean) {
  const ms = Math.round((is1904 ? serial + FROM_1904 : serial) * DAY_MS);
  const days = Math.floor(ms / DAY_MS);
  if (!(serial >= 0) || days > LAST_DAY) return undefined;
  const day = dayOf(days);
  const ofDay = ms - days * DAY_MS;
  return { day, time: ofDay === 0 && day !== null ? null : clock(ofDay) };
}

/** A duration in days as text, e.g. `26:30:00` for 1.104166; undefined where it is negative or not a safe number. */
export function durationOf(serial: number): string | undefined {
  const ms = Math.round(serial * DAY_MS);
  return ms >= 0 && Number.isSafeInteger(ms) ? clock(ms) : undefined;
}

function dayOf(days: number): string | null {
  if (days === 0) return null;
  if (days === 60) return '1900-02-29';
  // 1900-02-29 did not exist but has serial 60, so the serials of all later days are one too high.
  const since1900 = days > 60 ? days - 2 : days - 1;
  return new Date(Date.UTC(1900, 0, 1) + since1900 * DAY_MS).toISOString().slice(0, 10);
}

function clock(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const whole = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}`;
  const rest = ms % 1_000;
  return rest === 0 ? whole : `${whole}.${String(rest).padStart(3, '0')}`;
}
