import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { usageError } from '../../runtime/errors.ts';
import { inTurns, withinColumns, type CsvRow } from './row.ts';
import { csvRows, sniffDelimiter } from './csv-rows.ts';
import { listBytes, packingOf } from './list-bytes.ts';
import { readHead } from './list-text.ts';
import { requireEncoding } from './file-kinds.ts';

export type ListFormat =
  | {
      kind: 'text';
      delimiter: string;
      encoding: string;
      /** True when nobody named the encoding and nothing in the file marks it. */
      guessed: boolean;
      /** UTF-8 with some invalid bytes; see `csvRows`. */
      isDamaged?: boolean;
    }
  | { kind: 'workbook'; sheet: string | null };

export interface FormatOptions {
  /** Default: recognised from the bytes of the file. */
  encoding?: string | undefined;
  /** What stands between the cells of a text; default: found in its first lines. */
  delimiter?: string | undefined;
  /** The sheet of a workbook; default: the first visible one. */
  sheet?: string | undefined;
}

export async function formatOf(file: string, options: FormatOptions): Promise<ListFormat> {
  if ((await packingOf(file)) === 'workbook') {
    return { kind: 'workbook', sheet: options.sheet ?? null };
  }
  if (options.sheet !== undefined) {
    throw usageError(
      'FLAG_INVALID',
      `--sheet "${options.sheet}": ${basename(file)} is no workbook, and only a workbook (.xlsx) has sheets.`,
      'leave --sheet out, or give the workbook',
    );
  }
  const given = options.encoding === undefined ? undefined : requireEncoding(options.encoding);
  const { head, encoding } = await readHead(file, given);
  const guessed = given === undefined && encoding === 'utf-8';
  const delimiter = options.delimiter ?? sniffDelimiter(head);
  return { kind: 'text', delimiter, encoding, guessed };
}

/**
 * All rows of a list in batches, including titles and the header row, without blank lines.
 * @param onBytes receives the bytes that are hashed to identify the list; of a packed list, the unpacked bytes
 * @param onZero receives lines with zero bytes, which are removed; see `TextListeners`
 * @param onWarning receives a sentence for each oddity of a workbook
 */
export async function* listRows(
  file: string,
  format: ListFormat,
  onBytes: (bytes: Buffer) => void,
  onZero?: (line: number) => void,
  onWarning: (text: string) => void = () => undefined,
): AsyncGenerator<CsvRow[]> {
  if (format.kind === 'text') {
    for await (const rows of inTurns(csvRows(file, format, { onBytes, onZero }))) {
      yield withinColumns(file, rows);
    }
    return;
  }
  await workbookBytes(file, format.sheet, onBytes);
  const { workbookRows } = await import('../workbook/rows.ts');
  yield* inTurns(workbookRows(file, format.sheet, onWarning));
}

/** The SHA-256 that identifies a list, without reading its rows; see `listRows`. */
export async function hashOf(file: string, format: ListFormat): Promise<string> {
  const hash = createHash('sha256');
  const onBytes = (bytes: Buffer) => hash.update(bytes);
  if (format.kind === 'workbook') await workbookBytes(file, format.sheet, onBytes);
  else for await (const bytes of listBytes(file)) onBytes(bytes);
  return hash.digest('hex');
}

async function workbookBytes(
  file: string,
  sheet: string | null,
  onBytes: (bytes: Buffer) => void,
): Promise<void> {
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) onBytes(bytes);
  // Another sheet of the same workbook is another list.
  if (sheet !== null) onBytes(Buffer.from(sheet));
}
