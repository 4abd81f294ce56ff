import { createReadStream } from 'node:fs';
import { csvRows, type CsvRow } from './csv-rows.ts';
import { packingOf } from './list-bytes.ts';
import { readHead } from './list-text.ts';
import { requireEncoding } from './encodings.ts';
import { sniffDelimiter } from './sniff-delimiter.ts';
import { workbookRows } from './workbook-rows.ts';

/** How a file is turned into rows. */
export type ListFormat =
  | {
      kind: 'text';
      delimiter: string;
      encoding: string;
      /** True when nobody named the encoding and nothing in the file marks it. */
      guessed: boolean;
    }
  | { kind: 'workbook'; sheet: string | null };

export interface FormatOptions {
  /** Default: by the bytes. */
  encoding?: string | undefined;
  /** Default: the first one. */
  sheet?: string | undefined;
}

/** @throws AppError `LIST_NOT_FOUND`, `LIST_UNREADABLE`, `FLAG_INVALID` */
export async function formatOf(file: string, options: FormatOptions): Promise<ListFormat> {
  if ((await packingOf(file)) === 'workbook') {
    return { kind: 'workbook', sheet: options.sheet ?? null };
  }
  const given = options.encoding === undefined ? undefined : requireEncoding(options.encoding);
  const { head, encoding } = await readHead(file, given);
  const guessed = given === undefined && encoding === 'utf-8';
  return { kind: 'text', delimiter: sniffDelimiter(head), encoding, guessed };
}

/**
 * All rows of a list, titles and column names too, without blank lines.
 *
 * @param onBytes is shown the bytes by which the list is known: of a packed one what is in it
 * @throws AppError `LIST_UNREADABLE`, `SHEET_UNKNOWN`
 */
export async function* listRows(
  file: string,
  format: ListFormat,
  onBytes: (bytes: Buffer) => void,
  onZero?: (line: number) => void,
): AsyncGenerator<CsvRow> {
  if (format.kind === 'text') {
    yield* csvRows(file, format, onBytes, onZero);
    return;
  }
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) onBytes(bytes);
  // Another sheet of the same workbook is another list.
  if (format.sheet !== null) onBytes(Buffer.from(format.sheet));
  yield* workbookRows(file, format.sheet);
}
