import { usageError } from '../../runtime/errors.ts';

/** Western European Windows: the encoding of most lists that are not UTF-8 and have no byte order mark. */
export const FALLBACK_ENCODING = 'windows-1252';

/** The standard name of an encoding. @throws AppError `FLAG_INVALID` (exit 2) */
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

/** Recognises encodings that write non-ASCII letters with ASCII bytes only (ISO-2022, HZ, UTF-7); else undefined. */
export function hiddenEncoding(text: string): { is: string; next: string } | undefined {
  if (text.includes(`${ESCAPE}$`)) {
    return ['B', 'J', 'I'].some((set) => text.includes(`${ESCAPE}(${set}`))
      ? { is: 'is ISO-2022-JP', next: 'give --encoding iso-2022-jp, or save it as "CSV UTF-8"' }
      : { is: 'is ISO-2022 (of Korea or China)', next: SAVE };
  }
  if (/~\{(?:[\x21-\x77][\x21-\x7e]){2,}~\}/.test(text))
    return { is: 'is HZ (of China)', next: SAVE };
  if (isUtf7(text)) return { is: 'is UTF-7', next: SAVE };
  return undefined;
}

const SAVE =
  'save it as UTF-8: in a spreadsheet as "CSV UTF-8", in an editor by the encoding that it asks for when it saves';

/** UTF-7 writes accented letters as base64 between `+` and `-`, where phone numbers have digits and no letters. */
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

/** Decodes base64 of UTF-16 (RFC 2152); undefined unless the result is non-ASCII letters and no bit is left over. */
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

/** Encodings, each with the script that nearly all its non-ASCII characters belong to. */
const CANDIDATES: [name: string, letters: RegExp][] = [
  ['euc-kr', /\p{Script=Hangul}/u],
  ['shift_jis', /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー・、。]/u],
  ['euc-jp', /[\p{Script=Hiragana}\p{Script=Katakana}ー・、。]/u],
  ['gb18030', /\p{Script=Han}/u],
  ['big5', /\p{Script=Han}/u],
  ['windows-1251', /\p{Script=Cyrillic}/u],
];

/** The least share of the non-ASCII bytes that must be in runs of three or more. */
const MOST_SIDE_BY_SIDE = 0.6;

/** The least share of the non-ASCII characters that must belong to the script. */
const MOST = 0.9;

/** Do not count as letters of the script: nearly any bytes decode to half-width forms in Shift_JIS. */
const HALF_WIDTH = /[\uff61-\uff9f]/;

/**
 * The likely encoding of a text that is neither UTF-8 nor Western European; in such a text the non-ASCII bytes come in
 * long runs. Undefined where nothing suggests one.
 *
 * @param bytes the beginning of the file
 */
export function likelyEncoding(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1');
  const beyond = text.match(/[\x80-\xff]+/g) ?? [];
  const long = beyond.filter((run) => run.length > 2).join('').length;
  if (long < 4 || long < beyond.join('').length * MOST_SIDE_BY_SIDE) return undefined;
  // Only whole lines: the last character of the head may be cut.
  const whole = bytes.subarray(0, Math.max(bytes.lastIndexOf(0x0a), 0) || bytes.length);
  for (const [name, letters] of CANDIDATES) {
    const signs = Array.from(new TextDecoder(name).decode(whole)).filter((sign) => sign > '\x7f');
    const good = signs.filter((sign) => letters.test(sign) && !HALF_WIDTH.test(sign)).length;
    if (signs.length > 0 && good >= signs.length * MOST) return name;
  }
  return undefined;
}

/** Decodes bytes piece by piece; the last call is without bytes. Throws where the bytes are invalid in the encoding. */
export type Decode = (bytes: Buffer | undefined) => string;

/** @param encoding a name that `TextDecoder` knows */
export function decoderFor(encoding: string): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes) =>
    bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
}
