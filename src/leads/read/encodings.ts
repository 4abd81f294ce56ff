import { AppError, EXIT } from '../../runtime/errors.ts';

/** What most lists without a mark are in that are not UTF-8: Western European Windows. */
export const FALLBACK_ENCODING = 'windows-1252';

/** The name under which an encoding is known. @throws AppError `FLAG_INVALID` (exit 2) */
export function requireEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch (error) {
    throw new AppError(
      'FLAG_INVALID',
      `--encoding "${name}" is not an encoding; usual ones are utf-8, utf-16le, windows-1252, windows-1251, macintosh, shift_jis, gb18030.`,
      {
        hint: 'leave it out to have it found; what cannot be read here, such as UTF-7, is to be saved as "CSV UTF-8"',
        exitCode: EXIT.usage,
        cause: error,
      },
    );
  }
}

/** Turns bytes into text piece by piece, the last call without bytes; throws where they are no text. */
export type Decode = (bytes: Buffer | undefined) => string;

/** @param encoding a name that `TextDecoder` knows */
export function decoderFor(encoding: string): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes) =>
    bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
}
