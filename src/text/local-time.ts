/** A time as a person reads it, in the campaign's zone: `2026-01-05 15:00:00 America/New_York`. */
export function localTime(epochMs: number, timezone: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(epochMs);
  return `${text} ${timezone}`;
}
