import {
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
  type CountryCode,
  type PhoneNumberType,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { isE164, type E164 } from '../domain/phone.ts';
import { noCountry, notANumber, refusal, type Refusal } from './refusal.ts';

export type ParsedPhone =
  | {
      ok: true;
      phone: E164;
      /** False for a possible number of a range that the numbering plan does not list (yet). */
      assigned: boolean;
    }
  | { ok: false; refusal: Refusal };

/** Invisible marks that copying from documents brings along: direction, joiners, zero width. */
const MARKS = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Spreadsheets keep 15 digits and show fewer: what is left of the number is not the number. */
const SCIENTIFIC = /^\+?\d(?:[.,]\d+)?e\+?\d+$/i;

/** What stands between two numbers in one cell; also inside one number (030/12345), so the parts decide. */
const SEPARATORS = /[;,|/\r\n]|\sor\s|:::/i;
const DIGITS_OF_A_WHOLE_NUMBER = 7;

/** Calling codes without a country: freephone, shared cost, satellite, global and premium networks. */
const COUNTRYLESS = new Set(['800', '808', '870', '878', '881', '882', '883', '888', '979']);

/** Premium and personal ranges by prefix, for numbers that the library knows as possible only. */
const COSTLY = /^\+(?:1900|449|4470|61190)/;

const REFUSED_TYPES: Readonly<Record<string, string>> = {
  PREMIUM_RATE: 'a premium-rate number',
  SHARED_COST: 'a shared-cost number',
  TOLL_FREE: 'a toll-free number',
  PERSONAL_NUMBER: 'a personal number that costs like a premium-rate one',
  PAGER: 'a pager',
  UAN: "a company's access number",
  VOICEMAIL: 'a voicemail access number',
};

/**
 * Turns a cell into the one number it holds, or says why it does not. Nothing is guessed: a number without
 * `+` belongs to `country`, and without a country it is refused.
 *
 * @param country the country of numbers without `+`, or null
 */
export function parsePhone(cell: string, country: CountryCode | null): ParsedPhone {
  const text = withoutWounds(cell);
  const refused = refuseText(cell, text);
  if (refused !== undefined) return { ok: false, refusal: refused };
  const number = read(text, country);
  if (number === undefined) {
    const needsCountry = country === null && /\d{4}/.test(text) && !/[a-z+]/i.test(text);
    return { ok: false, refusal: needsCountry ? noCountry(cell) : notANumber(cell) };
  }
  // Most of the time of an import goes into this look-up: once a number.
  const type = number.getType();
  const assigned = type !== undefined || number.isValid();
  const why = refuseNumber(cell, number, { type, assigned, hasPlus: text.startsWith('+') });
  if (why !== undefined) return { ok: false, refusal: why };
  const phone: string = number.number;
  if (!isE164(phone)) return { ok: false, refusal: notANumber(cell) };
  return { ok: true, phone, assigned };
}

/** Takes off what copying and spreadsheets add: invisible marks, `'`, `="..."`, a trailing `.0`, `tel:`. */
function withoutWounds(cell: string): string {
  return cell
    .normalize('NFKC')
    .replace(MARKS, '')
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .replace(/^tel:/i, '')
    .replace(/^(\+?\d+)\.0+$/, '$1')
    .trim();
}

function refuseText(cell: string, text: string): Refusal | undefined {
  if (/^(?:n\/?a|none|null|nil|unknown|[-–—.?]*)$/i.test(text))
    return refusal('phone_missing', cell);
  if (SCIENTIFIC.test(text)) return refusal('excel_scientific', cell);
  if (holdsSeveral(text)) return refusal('several_numbers', cell);
  const digits = text.replace(/\D/g, '');
  if (!text.startsWith('+') && (/^\d{1,4}$/.test(digits) || /^116\d{3}$/.test(digits))) {
    return refusal('too_short', cell);
  }
  return undefined;
}

/** Parsers take the first of two numbers and drop the second, or make it an extension. */
function holdsSeveral(text: string): boolean {
  const parts = text.split(SEPARATORS);
  const isWhole = (part: string) => part.replace(/\D/g, '').length >= DIGITS_OF_A_WHOLE_NUMBER;
  return parts.filter(isWhole).length > 1;
}

/** `00` is the prefix for calls abroad in most countries; where it is not, no number starts with it. */
function read(text: string, country: CountryCode | null): PhoneNumber | undefined {
  const options = { extract: false, ...(country === null ? {} : { defaultCountry: country }) };
  const number = parsePhoneNumberFromString(text, options);
  if (!text.startsWith('00') || number?.isValid() === true) return number;
  const abroad = parsePhoneNumberFromString(`+${text.slice(2)}`, { extract: false });
  return abroad?.isValid() === true ? abroad : number;
}

interface Known {
  type: PhoneNumberType | undefined;
  /** True when the numbering plan lists the number's range. */
  assigned: boolean;
  /** True when it was written with its country code. */
  hasPlus: boolean;
}

function refuseNumber(cell: string, number: PhoneNumber, known: Known): Refusal | undefined {
  const { countryCallingCode, nationalNumber } = number;
  const { type, assigned } = known;
  if (number.ext !== undefined) return refusal('has_extension', cell);
  if (COUNTRYLESS.has(countryCallingCode)) {
    return refusal('never_called', cell, 'a number of no country (satellite, global or shared)');
  }
  if (type !== undefined && type in REFUSED_TYPES) {
    return refusal('never_called', cell, REFUSED_TYPES[type]);
  }
  if (COSTLY.test(number.number)) return refusal('never_called', cell, 'a premium-rate number');
  if (isShort(nationalNumber, known)) return refusal('too_short', cell);
  if (!assigned && !number.isPossible()) {
    const isLong = validatePhoneNumberLength(number.number) === 'TOO_LONG';
    return refusal(isLong ? 'too_long' : 'too_short', cell);
  }
  if (isFiller(nationalNumber) || !(assigned || mayBeNew(number))) {
    return refusal('not_assignable', cell);
  }
  return undefined;
}

/** Fewer than 7 digits are emergency and service numbers, but for the smallest countries' real ones. */
function isShort(nationalNumber: string, { assigned, hasPlus }: Known): boolean {
  if (nationalNumber.length >= DIGITS_OF_A_WHOLE_NUMBER) return false;
  return !hasPlus || !assigned || /^(?:\d{1,3}|116\d{3})$/.test(nationalNumber);
}

/**
 * The library lists no ranges that were opened after its release (in 2025 whole US area codes), so a
 * possible number is taken. In North America an area code and an exchange never start with 0 or 1.
 */
function mayBeNew({ countryCallingCode, nationalNumber }: PhoneNumber): boolean {
  return countryCallingCode !== '1' || /^[2-9]\d{2}[2-9]\d{6}$/.test(nationalNumber);
}

function isFiller(nationalNumber: string): boolean {
  return /^(\d)\1+$/.test(nationalNumber) || nationalNumber === '1234567890';
}
