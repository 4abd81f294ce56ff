import { usageError } from '../../runtime/errors.ts';

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
