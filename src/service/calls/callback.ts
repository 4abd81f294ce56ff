import type { AskedCallback } from '../../domain/calling/callback.ts';
import { isDecimal } from '../profile/expressions.ts';
import { asTime } from '../profile/read-fields.ts';

/** Words with which a service says that nobody asked to be called again. */
const NOT_ASKED = /^(false|no|none|null|n\/a|0|)$/i;
const TIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const LONGEST_SAID = 100;

/**
 * Reads the time at which a person asked to be called again: ISO 8601 with an offset, epoch seconds or ms, or a time
 * without a zone, which is one of the person's own clock. Anything else is kept as the service said it.
 *
 * @returns undefined when the person did not ask
 */
export function readCallback(value: unknown): AskedCallback | undefined {
  if (value === false || value === 0) return undefined;
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value);
  if (NOT_ASKED.test(text)) return undefined;
  const said = text.slice(0, LONGEST_SAID);
  const [, day, time = '', zone] = TIME.exec(text) ?? [];
  if (day !== undefined && zone === undefined) return { said, wall: `${day}T${time}` };
  const at = day === undefined ? timeIn(value) : asTime(`${day}T${time}${offsetOf(zone)}`);
  return at === undefined ? { said } : { said, at };
}

function timeIn(value: unknown): number | undefined {
  return typeof value === 'number' || isDecimal(String(value)) ? asTime(value) : undefined;
}

/** `Z`, or an offset with a colon and minutes, as `Date.parse` needs it. */
function offsetOf(zone = ''): string {
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}
