import { AppError, EXIT } from '../runtime/errors.ts';

export interface Columns {
  /** Index of the column that holds the number to call. */
  phone: number;
  /** Headers of other columns that look like numbers too; they are not called. */
  otherPhones: string[];
  /** Index of the column that holds the country of numbers without `+`, or null. */
  country: number | null;
}

/** Headers taken as they are, the better ones first. What is shown to a person when none is found. */
const PHONE_HEADERS = [
  'phone',
  'phone number',
  'mobile',
  'mobile phone',
  'mobile number',
  'contact number',
  'telephone',
  'telephone number',
  'tel',
  'cell',
  'cell phone',
  'msisdn',
  'number',
  'to',
];

/** Words of a header that may hold a number, whatever stands around them. */
const PHONE_WORDS = new Set(['phone', 'mobile', 'telephone', 'tel', 'cell', 'cellphone', 'msisdn']);

/** Words that say that it is not a number to call, or not a number at all. */
const OTHER_WORDS = new Set(
  'fax pager telex tty type label ext extension email assistant account owner count url id not do status time date timezone zone country code carrier'.split(
    ' ',
  ),
);

const COUNTRY_HEADERS = new Set(['country', 'country code', 'country iso', 'iso country']);

/**
 * Finds the columns by their headers, however they are written: `Phone_Number`, `phoneNumber`, `PHONE NUMBER`.
 *
 * @param path the list, for messages
 * @throws AppError `LIST_HAS_NO_PHONE_COLUMN`
 */
export function mapColumns(path: string, headers: readonly string[]): Columns {
  const plain = headers.map(plainHeader);
  const candidates = plain
    .map((header, index) => ({ index, rank: rankOf(header) }))
    .filter(({ rank }) => rank !== Infinity)
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
  const [best, ...others] = candidates;
  if (best === undefined) throw noPhoneColumn(path, headers);
  const country = plain.findIndex((header) => COUNTRY_HEADERS.has(header));
  return {
    phone: best.index,
    otherPhones: others.map(({ index }) => headers[index] ?? ''),
    country: country === -1 ? null : country,
  };
}

/** As headers are compared: `Phone_Number`, `phoneNumber` and `PHONE NUMBER` are the same. */
export function plainHeader(header: string): string {
  return header
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** 0 is best. Our own `call_phone` of an exported file comes last: the operator may have mended the other. */
function rankOf(header: string): number {
  const exact = PHONE_HEADERS.indexOf(header);
  if (exact !== -1) return exact;
  const words = header.split(' ');
  if (words.some((word) => OTHER_WORDS.has(word))) return Infinity;
  if (!words.some((word) => PHONE_WORDS.has(word))) return Infinity;
  if (header === 'call phone') return PHONE_HEADERS.length + 2;
  // A person's mobile before a company's switchboard.
  const isPersonal = words.includes('mobile') || words.includes('cell') || words.includes('direct');
  return PHONE_HEADERS.length + (isPersonal ? 0 : 1);
}

function noPhoneColumn(path: string, headers: readonly string[]): AppError {
  const found = headers.map((header) => `"${header.trim()}"`).join(', ');
  const isNumber = headers.some((header) => /^[\s"'+(]*\d[\d\s().-]{5,}$/.test(header));
  const what = isNumber
    ? `has no line of column names: its first line is ${found}`
    : `has no phone column: its columns are ${found}`;
  return new AppError(
    'LIST_HAS_NO_PHONE_COLUMN',
    `${path} ${what}; allowed names are ${PHONE_HEADERS.join(', ')}.`,
    {
      hint: isNumber
        ? 'add a first line with the names of the columns, such as: phone'
        : 'give the column that holds the number the name phone',
      exitCode: EXIT.usage,
    },
  );
}
