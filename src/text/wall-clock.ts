import { Temporal } from 'temporal-polyfill';

/**
 * The moments at which clocks in a zone show a time, epoch ms, earliest first: usually one; two when the clocks are set
 * back and show it twice; when they skip it, the moment at which they are set forward.
 *
 * @param local `2026-03-08T02:30`, optionally with seconds
 * @param timezone IANA name
 * @returns an empty list for a time that does not exist, e.g. on February 30th
 */
export function momentsOf(local: string, timezone: string): readonly number[] {
  const wall = read(local);
  if (wall === undefined) return [];
  const first = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  const second = wall.toZonedDateTime(timezone, { disambiguation: 'later' });
  const isSkipped = !first.toPlainDateTime().equals(wall);
  if (isSkipped) return [first.getTimeZoneTransition('next')?.epochMilliseconds ?? NaN];
  return [...new Set([first.epochMilliseconds, second.epochMilliseconds])];
}

/** The date in a zone at a moment (epoch ms), moved by `days`: `2026-01-05`. */
export function dayIn(timezone: string, at: number, days = 0): string {
  const now = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  return now.toPlainDate().add({ days }).toString();
}

/** The moment at which a day ends in a zone, epoch ms. */
export function endOfDay(day: string, timezone: string): number {
  const next = Temporal.PlainDate.from(day).add({ days: 1 });
  return momentsOf(`${next.toString()}T00:00`, timezone)[0] ?? NaN;
}

function read(local: string): Temporal.PlainDateTime | undefined {
  try {
    return Temporal.PlainDateTime.from(local, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}
