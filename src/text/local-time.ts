/** By zone: making one takes 30 times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** A time as a person reads it, in the campaign's zone: `2026-01-05 15:00:00 America/New_York`. */
export function localTime(epochMs: number, timezone: string): string {
  const how = { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' } as const;
  const format = formats.get(timezone) ?? new Intl.DateTimeFormat('sv-SE', how);
  formats.set(timezone, format);
  return `${format.format(epochMs)} ${timezone}`;
}

/** True for an IANA name of a zone. */
export function isTimezone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    // Newer versions of JavaScript also accept `+05:30`, which has no summer time.
    return /^[A-Za-z]/.test(value);
  } catch {
    return false;
  }
}

/** The same to the minute and with the weekday, for plans: `Mon 2026-01-05 09:00 America/New_York`. */
export function weekdayTime(epochMs: number, timezone: string): string {
  return `${weekdayMinute(epochMs, timezone)} ${timezone}`;
}

/** `Mon 2026-01-05 09:00`. */
export function weekdayMinute(epochMs: number, timezone: string): string {
  const [day = '', time = ''] = localTime(epochMs, timezone).split(' ');
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone: timezone, weekday: 'short' });
  return `${weekday.format(epochMs)} ${day} ${time.slice(0, 'hh:mm'.length)}`;
}
