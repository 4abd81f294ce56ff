import type { PhoneNumber } from 'libphonenumber-js/max';

/**
 * Names the content of a cell that the library would take for a phone number although it is not one, e.g. `a date`;
 * undefined where nothing suggests this. Where both are possible, the notation decides: 03.12.45.67.89 is a number,
 * 05.01.2024 is a date.
 * @param text the cell as `cleanPhone` returns it
 */
export function nonPhoneKind(text: string): string | undefined {
  if (/\p{Sc}|^(?:eur|usd|gbp|chf|inr|rs\.?)\s?\d|\d\s?(?:eur|usd|gbp|chf|inr)$/iu.test(text))
    return 'an amount of money';
  if (text.includes('%')) return 'a percentage';
  if (isDate(text) && !/^\d\d\.\d\d\.\d\d$/.test(text)) return 'a date';
  if (/^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[ap]\.?m\.?)?$/i.test(text)) return 'a time';
  if (COORDINATES.test(text)) return 'a pair of coordinates';
  if (/^[-\u2212]\s?\d/.test(text) && !/^-\s\d/.test(text)) return 'a negative number';
  if (THOUSANDS.test(text)) return 'an amount, not the digits of a number';
  if (/^\d+,\d{1,2}$/.test(text)) return 'a decimal number';
  if (/\bfax\b|^f:/i.test(text)) return 'a fax number';
  return undefined;
}

/**
 * As `nonPhoneKind`, for digits with dots that may still be a number if its country groups digits there
 * (`dotsMatchFormat`): 22.345678 (Cyprus), 70.123.45.67 (Senegal), 20.12.34 (New Caledonia).
 */
export function maybeNonPhone(text: string): string | undefined {
  if (/^[1-9]\d*\.\d+$/.test(text)) return 'a decimal number';
  if (/^\d{1,2}(?:\.\d{3}){2,}$/.test(text)) return 'an amount';
  if (isAddress(text)) return 'an IP address';
  return isDate(text) ? 'a date' : undefined;
}

/**
 * True when the dots of `text` are at the gaps of the number in national or international format. A single dot must be
 * at the only gap, or at the first gap where the digits before it are too large for a coordinate (212.5550123).
 */
export function dotsMatchFormat(text: string, number: PhoneNumber): boolean {
  const dots = gapsFromEnd(text);
  const [only, ...others] = dots;
  const isCoordinate = Number(text.slice(0, text.indexOf('.'))) <= 180;
  return [number.formatNational(), number.formatInternational()].some((one) => {
    const gaps = gapsFromEnd(one);
    if (others.length > 0) return dots.every((at) => gaps.includes(at));
    return only === gaps.at(-1) && (gaps.length === 1 || (!isCoordinate && gaps[0] !== only));
  });
}

/** For each gap between groups of digits: how many digits follow it. */
function gapsFromEnd(text: string): number[] {
  const groups = text.split(/\D+/).filter((group) => group !== '');
  let behind = 0;
  return groups
    .toReversed()
    .slice(0, -1)
    .map((group) => (behind += group.length));
}

/** The three parts of a date; a time may follow. */
const DATE =
  /^(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.])(\d{1,2})\6(\d{4}|\d{2}))(?:\.?[ T,]+\d{1,2}[:.h]?\d{2}.*)?$/i;

function isDate(text: string): boolean {
  const found = DATE.exec(text);
  if (found === null) return false;
  const [, year = '', , month = '', day = '', first = '', , second = '', last = ''] = found;
  if (year !== '') return isYear(year) && isUpTo(12, month) && isUpTo(31, day);
  // Day and month may come in either order.
  const isInYear =
    (isUpTo(12, first) && isUpTo(31, second)) || (isUpTo(31, first) && isUpTo(12, second));
  return isInYear && (last.length === 2 || isYear(last));
}

function isYear(text: string): boolean {
  return /^(?:19|20)\d{2}$/.test(text);
}

function isUpTo(most: number, text: string): boolean {
  return Number(text) >= 1 && Number(text) <= most;
}

/** True for an IPv4 address: four numbers up to 255 without leading zeros. Four pairs of digits are a phone number. */
function isAddress(text: string): boolean {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return false;
  return parts.every((part) => Number(part) <= 255) && parts.some((part) => part.length !== 2);
}

const COORDINATES =
  /^[-+\u2212]?\d{1,3}\.\d{3,}°?\s?[NS]?(?:\s*[,;]\s*|\s+)[-+\u2212]?\d{1,3}\.\d{3,}°?\s?[EW]?$/i;

/** Groups of three with a comma between them, or with dots and a decimal comma. */
const THOUSANDS =
  /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?: \d{3})+[.,]\d{1,2}$/;
