/** Zones change their offset at full quarters of an hour, if at all. */
const QUARTER_MS = 900_000;

/**
 * A function that writes epoch ms as ISO 8601 with the zone's offset, to the second:
 * `2026-01-05T10:00:00-05:00`. Asks Intl once a quarter of an hour, not once a value.
 *
 * @param timezone IANA name
 */
export function zonedTime(timezone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    timeZoneName: 'longOffset',
  });
  const offsets = new Map<number, string>();

  return (ms) => {
    const quarter = Math.floor(ms / QUARTER_MS);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      const parts = format.formatToParts(ms);
      const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
      // "GMT-05:00"; "GMT" alone is zero.
      offset = /[+-]\d{2}:\d{2}/.exec(name)?.[0] ?? '+00:00';
      offsets.set(quarter, offset);
    }
    return new Date(ms + toMs(offset)).toISOString().slice(0, 19) + offset;
  };
}

function toMs(offset: string): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}
