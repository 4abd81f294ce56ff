import { getCountryCallingCode, type CountryCode, type PhoneNumber } from 'libphonenumber-js/max';

import type { NumberPolicy } from '../../domain/campaign.ts';
import { isE164, type E164 } from '../../domain/phone.ts';
import type { NumberStyle, Origin } from './column-styles.ts';
import { isShorter } from './countries.ts';
import { isInPairs, plainPhone, readPhone } from './phone-readings.ts';
import {
  cleanPhone,
  digitsIn,
  dotsMatchFormat,
  FEWEST_DIGITS,
  isMissing,
  isWhole,
  lettersAsDigits,
  LONGEST_CELL,
  maybeNonPhone,
  nonPhoneKind,
  SCIENTIFIC,
  severalNumbers,
} from './phone-cell.ts';
import {
  codeMayLack,
  lacksDigits,
  readPlus,
  refusal,
  refuseNumber,
  type PhoneRefusal,
  type PlusReading,
} from './phone-refusal.ts';

export type ParsedPhone =
  | {
      ok: true;
      phone: E164;
      /** False for a number of valid length in a range that the library's numbering plan does not list (yet). */
      assigned: boolean;
      /** What was changed in the cell to read it, in words; null: nothing worth a note. */
      mended: string | null;
      /** Set where the digits behind a `+` are a number of `country`, too. */
      plus?: 'both';
    }
  | {
      ok: false;
      refusal: PhoneRefusal;
      /** All numbers that the cell may mean, for `ambiguous_number`. */
      readings?: E164[];
      /** Set where the digits behind a `+` are a number of `country`: only of it, or as written, too. */
      plus?: 'national' | 'both';
    };

const USUAL: NumberPolicy = { unassigned: 'accept', tollFree: 'refuse' };

/**
 * Turns a cell into the one number to call that it holds, or says why there is none. Nothing is guessed: a number
 * without `+` belongs to `country`, and without a country it is refused. Of several numbers the first good one is
 * taken; emergency, short and premium-rate numbers are always refused.
 * @param country the country of numbers without `+`, or null
 * @param style how the column writes its other numbers (with `+`, or without); default: not known, so that a number
 *   which can be read both with and without a country code in front is refused
 * @param isSaid true where the row itself names the country, or a state of it
 */
export function parsePhone(
  cell: string,
  country: CountryCode | null,
  policy: NumberPolicy = USUAL,
  style?: NumberStyle,
  isSaid = false,
): ParsedPhone {
  const plain = plainPhone(cell, country);
  if (plain !== undefined) return { ok: true, phone: plain, assigned: true, mended: null };
  return parseFully(cell, country, policy, style, isSaid);
}

/** As `parsePhone`, without the fast path of `plainPhone`. */
export function parseFully(
  cell: string,
  country: CountryCode | null,
  policy: NumberPolicy = USUAL,
  style?: NumberStyle,
  isSaid = false,
): ParsedPhone {
  if (cell.length > LONGEST_CELL)
    return { ok: false, refusal: refusal('not_a_number', cell, 'a long text') };
  const { text, mended } = cleanPhone(cell);
  const what = nonPhoneKind(text);
  if (what !== undefined) return { ok: false, refusal: refusal('not_a_number', cell, what) };
  const parts = severalNumbers(text);
  if (parts === undefined) return { ok: false, refusal: refusal('several_numbers', cell) };
  const given = { country, policy, style, isSaid };
  if (parts.length === 0) return parseOne(cell, { ...given, text, mended });
  let refused: ParsedPhone | undefined;
  for (const [index, part] of parts.entries()) {
    const which =
      index === 0
        ? 'the first of several numbers'
        : `number ${index + 1} of several, as none before it can be called`;
    const parsed = parseOne(part, { ...given, text: part, mended: [...mended, which] });
    if (parsed.ok) return parsed;
    refused ??= parsed;
  }
  return refused ?? { ok: false, refusal: refusal('not_a_number', cell) };
}

interface CleanCell extends Origin {
  text: string;
  policy: NumberPolicy;
  mended: readonly string[];
}

function parseOne(
  cell: string,
  { text: written, policy, mended, ...origin }: CleanCell,
): ParsedPhone {
  const { country, style } = origin;
  const spelled = /[a-z]{3}/i.test(written) ? spelledOut(written, country) : undefined;
  const text = spelled ?? written;
  const refused = refuseText(cell, text, country);
  if (refused !== undefined) return { ok: false, refusal: refused };
  // Behind a slash is another line, unless too few digits are before it.
  const whole = text.slice(0, text.lastIndexOf('/') >>> 0).trimEnd();
  const plus = readPlus(isWhole(whole) && !isInPairs(text) ? whole : text, origin);
  if (plus?.isRefused === true) return withoutCode(cell, plus);
  const reading = readPhone(text, origin);
  const [number] = reading.numbers;
  if (reading.numbers.length > 1) return undecided(cell, reading.numbers);
  const what = maybeNonPhone(text);
  if (what !== undefined && !(number !== undefined && dotsMatchFormat(text, number)))
    return { ok: false, refusal: refusal('not_a_number', cell, what) };
  if (number === undefined) {
    const isNumber = country === null && hasNumber(text) && !/[a-z+]/i.test(text);
    return { ok: false, refusal: refusal(isNumber ? 'no_country' : 'not_a_number', cell) };
  }
  // `getType` is the most expensive call of an import, so it is made once for a number.
  const type = number.getType();
  const assigned = type !== undefined || number.isValid();
  const hasPlus = text.startsWith('+');
  const isCut = reading.mended.length === 0 && lacksDigits(text, number);
  // Digits are left out only where that makes a number in use: `+44 020 7946 0123`, not `+860 555 0120`.
  const why =
    isCut && !assigned
      ? refusal('not_assignable', cell)
      : refuseNumber(cell, number, { type, assigned, hasPlus }, policy);
  if (why !== undefined) return { ok: false, refusal: why };
  const phone: string = number.number;
  if (!isE164(phone)) return { ok: false, refusal: refusal('not_a_number', cell) };
  const changes = [...mended, ...reading.mended];
  if (isCut) changes.push('without the prefix of calls at home');
  if (style !== undefined && isDoubtful(text, country))
    changes.push(`${STYLES[style]}, as the others of its column`);
  if (spelled !== undefined) changes.push('its letters as digits');
  if (number.ext !== undefined) changes.push(`without its extension ${number.ext}`);
  return {
    ok: true,
    phone,
    assigned,
    mended: changes.length === 0 ? null : changes.join(', '),
    ...(plus === undefined ? {} : { plus: 'both' }),
  };
}

/** True for a text with enough digits for a phone number, also in pairs as in France. */
function hasNumber(text: string): boolean {
  return /\d{4}/.test(text) || digitsIn(text) >= FEWEST_DIGITS;
}

/** Letters stand for digits in North America only. */
function spelledOut(text: string, country: CountryCode | null): string | undefined {
  const isThere = /^\+1/.test(text) || (country !== null && getCountryCallingCode(country) === '1');
  return isThere ? lettersAsDigits(text) : undefined;
}

function refuseText(
  cell: string,
  text: string,
  country: CountryCode | null,
): PhoneRefusal | undefined {
  if (isMissing(text)) return refusal('phone_missing', cell);
  if (SCIENTIFIC.test(text)) return refusal('excel_scientific', cell);
  const digits = text.replace(/\D/g, '');
  if (!text.startsWith('+') && (/^\d{1,4}$/.test(digits) || /^116\d{3}$/.test(digits))) {
    return refusal('too_short', cell);
  }
  // The library would try the plans of all countries that share the calling code.
  const isTooShort = country !== null && text === digits && isShorter(digits, country);
  return isTooShort && maybeNonPhone(text) === undefined ? refusal('too_short', cell) : undefined;
}

const STYLES = { code: 'with its country code in front', national: 'without country code' };

/** True for a text that is ambiguous by itself, so that only the style of its column decides how to read it. */
function isDoubtful(text: string, country: CountryCode | null): boolean {
  return readPhone(text, { country, style: undefined }).numbers.length > 1;
}

function undecided(cell: string, numbers: readonly PhoneNumber[]): ParsedPhone {
  const readings = numbers.flatMap(({ number }) => (isE164(number) ? [number] : []));
  return { ok: false, refusal: refusal('ambiguous_number', cell, readings.join(' or ')), readings };
}

function withoutCode(cell: string, plus: PlusReading): ParsedPhone {
  const readings = [plus.home.number, plus.written].filter(isE164);
  const says = plus.code === null ? 'national' : 'both';
  return { ok: false, refusal: codeMayLack(cell, plus), readings, plus: says };
}

/**
 * Ranges that regulators reserve for films, samples and tests. Nobody has these numbers, so a live service is never
 * asked to call them.
 */
const RANGES: Readonly<Record<string, readonly RegExp[]>> = {
  '+1': [
    // NANP: 555-0100 to 555-0199 in geographic area codes. In toll-free area codes 555 is not reserved.
    /^\+1(?!800|833|844|855|866|877|888)[2-9]\d{2}55501\d{2}$/,
  ],
  '+44': [
    // United Kingdom: Ofcom, telephone numbers for drama.
    /^\+44(?:11[3-8]|1[2-6]1)4960\d{3}$/,
    /^\+44(?:2079460|1914980|2890180|2896496|2920180|1632960)\d{3}$/,
    /^\+44(?:7700900|8081570|9098790|3069990)\d{3}$/,
  ],
  '+61': [
    // Australia: ACMA, numbers for use in radio, film and television.
    /^\+61[2378](?:5550|7010)\d{4}$/,
    /^\+614915(?:70(?:006|156|157|158|159|110|313|737)|71(?:266|491|804)|72(?:549|665|983))$/,
    /^\+614915(?:73(?:770|087)|74(?:118|632)|75(?:254|789)|76(?:398|801)|77(?:426|644))$/,
    /^\+614915(?:78(?:957|148|888)|79(?:212|760|455))$/,
    /^\+61(?:1800160401|18009757\d{2}|1900654321)$/,
  ],
  '+49': [
    // Germany: Bundesnetzagentur, Mitteilung 148/2021.
    /^\+49(?:3023125|4066969|6990009|8999998|2214710)\d{3}$/,
    /^\+49(?:17139200|176040690)\d{2}$/,
  ],
  '+33': [
    // France: ARCEP, decision 2018-0881.
    /^\+33(?:19900|26191|35301|46571|53649|63998)\d{4}$/,
  ],
  '+46': [
    // Sweden: 070-1740605 to 070-1740699. Ireland: 020 91x xxxx.
    /^\+46701740(?:60[5-9]|6[1-9]\d)$/,
  ],
  '+353': [/^\+3532091\d{5}$/],
};

/** True for a number in a range that is reserved for fiction. */
export function isFictional(phone: E164): boolean {
  // Called for every row, so patterns are tested only for the few calling codes that have such ranges.
  const ranges =
    phone[1] === '1' ? RANGES['+1'] : (RANGES[phone.slice(0, 3)] ?? RANGES[phone.slice(0, 4)]);
  return ranges !== undefined && ranges.some((range) => range.test(phone));
}
