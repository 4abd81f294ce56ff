import type { Profile } from '../profile/profile.ts';
import { asNumber, readPath, type Scopes } from '../profile/read-fields.ts';

/** A larger value is not the length of a call but something else, such as a date. */
const LONGEST_MS = 7 * 86_400_000;
const UNIT_MS = { ms: 1, s: 1_000, min: 60_000 };

/** @returns ms; null when a duration field is there but empty, undefined when there is none */
export function readDuration(
  scopes: Scopes,
  duration: Profile['analytics']['duration'],
): number | null | undefined {
  let nothing: null | undefined;
  for (const [path, unit] of duration) {
    for (const scope of scopes) {
      const value = readPath(scope, path);
      if (value === undefined) continue;
      const ms = durationMs(value, unit);
      if (ms !== undefined && ms >= 0 && ms <= LONGEST_MS) {
        scopes.onFound?.(path, value);
        return Math.round(ms);
      }
      if (value === null || value === '') nothing = null;
    }
  }
  return nothing;
}

function durationMs(value: unknown, unit: keyof typeof UNIT_MS | 'text'): number | undefined {
  if (unit === 'text') return typeof value === 'string' ? parseDurationText(value) : undefined;
  const number = asNumber(value);
  return number === undefined ? undefined : number * UNIT_MS[unit];
}

/**
 * A duration as services write it: `00:01:23`, `1:23`, `PT1M23S` (ISO 8601), `1h 2m 3s` or seconds as text.
 *
 * @returns ms, or undefined for anything else
 */
export function parseDurationText(text: string): number | undefined {
  const trimmed = text.trim();
  const clock = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2}(?:\.\d{1,9})?)$/.exec(trimmed);
  if (clock !== null) return total(clock[1], clock[2], clock[3]);
  const units =
    /^(?:PT)?(?:(\d{1,6}) ?h(?:ours?)?)? ?(?:(\d{1,6}) ?m(?:in(?:utes?)?)?)? ?(?:(\d{1,9}(?:\.\d{1,9})?) ?s(?:ec(?:onds?)?)?)?$/i;
  const parts = trimmed === '' || /^PT$/i.test(trimmed) ? null : units.exec(trimmed);
  if (parts !== null) return total(parts[1], parts[2], parts[3]);
  return /^\d{1,9}(\.\d{1,9})?$/.test(trimmed) ? Number(trimmed) * 1_000 : undefined;
}

function total(hours = '0', minutes = '0', seconds = '0'): number {
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000;
}
