/** A time as a person reads it, in the campaign's zone: `2026-01-05 15:00:00 America/New_York`. */
export function localTime(epochMs: number, timezone: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(epochMs);
  return `${text} ${timezone}`;
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
