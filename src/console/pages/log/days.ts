import { HOUR_MS } from '../../../domain/time-units.ts';

/**
 * The moment at which a day begins in a zone, ISO 8601; undefined where the text is no day.
 *
 * @param day `2026-11-25`
 * @param zone IANA name
 */
export function startOfDay(day: string | undefined, zone: string): string | undefined {
  const inUtc = Date.parse(`${day ?? ''}T00:00:00Z`);
  if (Number.isNaN(inUtc)) return undefined;
  // The offset at midnight is not known before midnight is; that of a day near it is nearly always the same.
  const near = inUtc - offset(inUtc, zone);
  return new Date(inUtc - offset(near, zone)).toISOString();
}

/** `2026-12-01` for `2026-11-30`. */
export function dayAfter(day: string | undefined): string | undefined {
  const inUtc = Date.parse(`${day ?? ''}T00:00:00Z`);
  return Number.isNaN(inUtc)
    ? undefined
    : new Date(inUtc + 24 * HOUR_MS).toISOString().slice(0, 10);
}

/** How far the clocks of a zone are ahead of UTC at a moment, ms. */
function offset(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(at);
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    parts.map(({ type, value }) => [type, value]),
  );
  const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return wall - Math.floor(at / 1_000) * 1_000;
}
