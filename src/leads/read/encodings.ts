import { usageError } from '../../runtime/errors.ts';
import type { FileKind } from './file-kinds.ts';

/** Western European Windows: the encoding of most lists that are not UTF-8 and have no byte order mark. */
export const FALLBACK_ENCODING = 'windows-1252';

/** The standard name of an encoding. @throws AppError `FLAG_INVALID` (exit 2) */
export function requireEncoding(name: string): string {
  try {
    const { encoding } = new TextDecoder(name);
    if (encoding === 'iso-2022-jp') throw new RangeError(`${encoding} is not read`);
    return encoding;
  } catch (error) {
    throw usageError(
      'FLAG_INVALID',
      `--encoding "${name}" is not an encoding; usual ones are utf-8, utf-16le, windows-1252, windows-1251, macintosh, shift_jis, gb18030.`,
      'leave it out to have it found; what is not read here, such as UTF-7 and ISO-2022, is to be saved as "CSV UTF-8"',
      error,
    );
  }
}

const ESCAPE = '\x1b';

/** Encodings that write letters beyond ASCII with bytes of ASCII, so that they would pass as UTF-8. */
const HIDDEN: [sign: RegExp, is: string][] = [
  [new RegExp(`${ESCAPE}\\$`), 'is ISO-2022 (of Japan, Korea or China)'],
  [/~\{(?:[\x21-\x77][\x21-\x7e]){2,}~\}/, 'is HZ (of China)'],
  // RFC 2152, base64 of UTF-16 between `+` and `-`: its mark; one Western letter; letters below U+0800 in a row.
  [
    /^\+\/v[89+/]|\+A[M-X][AEIMQUYcgkosw048]-|\+[AB][\w+/][AEIMQUYcgkosw048][A-H][\w+/][AQgw][\w+/]{0,99}-/,
    'is UTF-7',
  ],
];

/** What a text is where it is in one of those encodings, which are not read here. */
export function hiddenEncoding(text: string): FileKind | undefined {
  const found = HIDDEN.find(([sign]) => sign.test(text));
  return found && { is: found[1], next: SAVE };
}

const SAVE =
  'save it as UTF-8: in a spreadsheet as "CSV UTF-8", in an editor by the encoding that it asks for when it saves';

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

/** Decodes bytes piece by piece; the last call is without bytes. */
export type Decode = (bytes: Buffer | undefined) => string;

/**
 * @param encoding a name that `TextDecoder` knows
 * @param fatal throws where the bytes are invalid in the encoding; false: they become U+FFFD
 */
export function decoderFor(encoding: string, fatal = true): Decode {
  const decoder = new TextDecoder(encoding, { fatal });
  return (bytes) =>
    bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
}
