import { usageError } from '../../runtime/errors.ts';

/** What most lists without a mark are in that are not UTF-8: Western European Windows. */
export const FALLBACK_ENCODING = 'windows-1252';

/** The name under which an encoding is known. @throws AppError `FLAG_INVALID` (exit 2) */
export function requireEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch (error) {
    throw usageError(
      'FLAG_INVALID',
      `--encoding "${name}" is not an encoding; usual ones are utf-8, utf-16le, windows-1252, windows-1251, macintosh, shift_jis, gb18030.`,
      'leave it out to have it found; what cannot be read here, such as UTF-7, is to be saved as "CSV UTF-8"',
      error,
    );
  }
}

const ESCAPE = '\x1b';

/** What a text of ASCII alone really is, where it is in one of the encodings that hide other letters in it. */
export function hiddenEncoding(text: string): { is: string; next: string } | undefined {
  if (
    text.includes(`${ESCAPE}$`) &&
    ['B', 'J', 'I'].some((set) => text.includes(`${ESCAPE}(${set}`))
  ) {
    return {
      is: 'is ISO-2022-JP',
      next: 'give --encoding iso-2022-jp, or save it as "CSV UTF-8"',
    };
  }
  if (text.includes(`${ESCAPE}$`)) return { is: 'is ISO-2022 (of Korea or China)', next: SAVE };
  if (/~\{(?:[\x21-\x77][\x21-\x7e]){2,}~\}/.test(text))
    return { is: 'is HZ (of China)', next: SAVE };
  if (isUtf7(text)) return { is: 'is UTF-7', next: SAVE };
  return undefined;
}

const SAVE =
  'save it as UTF-8: in a spreadsheet as "CSV UTF-8", in an editor by the encoding that it asks for when it saves';

/** Letters of Europe between `+` and `-` in base64; telephone numbers are digits alone. */
function isUtf7(text: string): boolean {
  if (/^\+\/v[89+/]/.test(text)) return true;
  let found = 0;
  for (const [, coded = ''] of text.matchAll(/\+([A-Za-z0-9+/]{3,})-/g)) {
    const letters = utf16Of(coded);
    if (letters === undefined) continue;
    found += 1;
    if (/^[\u00c0-\u017f]+$/.test(letters)) return true;
  }
  return found > 1;
}

/** What base64 of UTF-16 says, where that is letters beyond ASCII and no bit too many (RFC 2152). */
function utf16Of(coded: string): string | undefined {
  if (!/[A-Za-z]/.test(coded)) return undefined;
  const bytes = Buffer.from(coded, 'base64');
  const size = Math.floor((coded.length * 6) / 16) * 2;
  const isExact =
    Buffer.from(bytes.subarray(0, size)).toString('base64').replace(/=+$/, '') === coded;
  if (!isExact || size === 0) return undefined;
  const text = Buffer.from(bytes.subarray(0, size)).swap16().toString('utf16le');
  return /^[\p{L}\p{M}]+$/u.test(text) && !/[a-z]/i.test(text) ? text : undefined;
}

/** Encodings, and letters that nearly all of a text in them is, beside ASCII. */
const CANDIDATES: [name: string, letters: RegExp][] = [
  ['euc-kr', /\p{Script=Hangul}/u],
  ['shift_jis', /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー・、。]/u],
  ['euc-jp', /[\p{Script=Hiragana}\p{Script=Katakana}ー・、。]/u],
  ['gb18030', /\p{Script=Han}/u],
  ['big5', /\p{Script=Han}/u],
  ['windows-1251', /\p{Script=Cyrillic}/u],
];

/** Of what is beyond ASCII, so much stands side by side with as much. */
const MOST_SIDE_BY_SIDE = 0.6;

/** Of the letters beyond ASCII, so many are of the script. */
const MOST = 0.9;

/** Half-width forms are what nearly any bytes are in Shift_JIS. */
const HALF_WIDTH = /[\uff61-\uff9f]/;

/**
 * What a text may be in that is neither UTF-8 nor of Western Europe, where letters of other scripts stand side by side;
 * undefined where nothing says so.
 *
 * @param bytes of the beginning of the file
 */
export function likelyEncoding(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1');
  const beyond = text.match(/[\x80-\xff]+/g) ?? [];
  const long = beyond.filter((run) => run.length > 2).join('').length;
  if (long < 4 || long < beyond.join('').length * MOST_SIDE_BY_SIDE) return undefined;
  // The last character may be cut.
  const whole = bytes.subarray(0, Math.max(bytes.lastIndexOf(0x0a), 0) || bytes.length);
  for (const [name, letters] of CANDIDATES) {
    const signs = Array.from(new TextDecoder(name).decode(whole)).filter((sign) => sign > '\x7f');
    const good = signs.filter((sign) => letters.test(sign) && !HALF_WIDTH.test(sign)).length;
    if (signs.length > 0 && good >= signs.length * MOST) return name;
  }
  return undefined;
}
