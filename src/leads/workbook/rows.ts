import { usageError } from '../../runtime/errors.ts';
import { someOf } from '../../text/wording.ts';
import { batchesOf, rowSize, type CsvRow } from '../read/row.ts';
import { readStyles, unescaped } from './cell-value.ts';
import {
  broken,
  joined,
  MOST_SHEET_BYTES,
  openParts,
  readXml,
  workbookError,
  WorkbookFault,
  type Part,
  type Parts,
  type XmlHandler,
} from './parts.ts';
import { SheetReader } from './sheet-reader.ts';
import { openBook, readThrough, type Book, type Sheet } from './sheets.ts';

/**
 * The rows of one sheet of a workbook (ECMA-376, transitional or strict) in batches, without empty rows; the line of a
 * row is its number in the sheet. See `cellText` for the text of a cell. Memory does not grow with the sheet, only with
 * the shared texts of the workbook.
 * @param wanted the sheet's name, or null for the first visible one
 * @param onWarning receives a sentence for each oddity of the workbook
 */
export async function* workbookRows(
  path: string,
  wanted: string | null,
  onWarning: (text: string) => void,
): AsyncGenerator<CsvRow[]> {
  let parts: Parts | undefined;
  try {
    parts = await openParts(path);
    const book = await openBook(parts);
    const sheet = chooseSheet(path, book, wanted);
    if (sheet.part === undefined)
      throw broken(`it names a sheet "${sheet.name}" and does not have it`);
    const { name, read } = sheet.part;
    const others = otherSheets(book, sheet);
    if (wanted === null && others !== undefined)
      onWarning(`sheet "${sheet.name}" is read, and not ${others}; choose with --sheet`);
    const reader = new SheetReader({
      is1904: book.is1904,
      styles: await readStyles(book.styles),
      texts: await sharedTexts(book.texts),
    });
    let count = 0;
    const pieces = readXml(name, read(MOST_SHEET_BYTES), reader, () => reader.take());
    for await (const rows of inLineOrder(pieces)) {
      count += rows.length;
      yield rows;
    }
    if (count === 0 && others !== undefined) {
      throw usageError(
        'LIST_EMPTY',
        `${path} has nothing in sheet "${sheet.name}"; its other sheets are ${others}.`,
        'give one of them with --sheet',
      );
    }
    for (const text of oddities(reader, sheet)) onWarning(text);
  } catch (error) {
    throw workbookError(path, error);
  } finally {
    parts?.close();
  }
}

/** The sheets of a workbook that have cells, in the order of their tabs, and the one that is read. */
export async function sheetsOf(path: string, wanted: string | null) {
  let parts: Parts | undefined;
  try {
    parts = await openParts(path);
    const book = await openBook(parts);
    const sheets = book.sheets.filter(({ hasCells }) => hasCells);
    return {
      sheets: sheets.map(({ name, isHidden }) => ({ name, isHidden })),
      chosen: chooseSheet(path, book, wanted).name,
    };
  } catch (error) {
    throw workbookError(path, error);
  } finally {
    parts?.close();
  }
}

/**
 * The sheet of the wanted name, else the first visible one.
 * @param wanted the sheet's name; the case does not matter, as in a spreadsheet
 * @throws AppError `SHEET_UNKNOWN` with the names of the sheets
 */
function chooseSheet(path: string, { sheets }: Book, wanted: string | null): Sheet {
  const named = (one: Sheet) => one.name.toLowerCase() === wanted?.toLowerCase();
  const found =
    wanted === null
      ? sheets.find((one) => one.hasCells && !one.isHidden)
      : (sheets.find(({ name }) => name === wanted) ?? sheets.find(named));
  if (found?.hasCells === true) return found;
  const names = listed(sheets.filter(({ hasCells }) => hasCells));
  const what =
    wanted === null
      ? `shows no sheet; it hides ${names}`
      : found === undefined
        ? `has no sheet "${wanted}"; it has ${names}`
        : `has no cells in "${wanted}"; sheets with cells are ${names}`;
  throw usageError('SHEET_UNKNOWN', `${path} ${what}.`, 'give one of them with --sheet');
}

function otherSheets({ sheets }: Book, chosen: Sheet): string | undefined {
  const others = sheets.filter((one) => one !== chosen && one.hasCells);
  return others.length === 0 ? undefined : listed(others);
}

const MOST_NAMES = 20;

function listed(sheets: readonly Sheet[]): string {
  const names = sheets.map(({ name, isHidden }) => `"${name}"${isHidden ? ' (hidden)' : ''}`);
  return someOf(names, MOST_NAMES);
}

function* oddities({ hidden, unsolved, firstUnsolved }: SheetReader, { name }: Sheet) {
  const rows = (count: number) => (count === 1 ? '1 row' : `${count} rows`);
  if (hidden > 0) {
    yield `sheet "${name}" hides ${rows(hidden)}, by a filter or by hand, which are read like the others; delete them there if they are not meant`;
  }
  if (unsolved > 0) {
    const cells = unsolved === 1 ? '1 formula' : `${unsolved} formulas`;
    yield `sheet "${name}" has ${cells} without a result (${firstUnsolved}), read as they are written; open the workbook in a spreadsheet program and save it`;
  }
}

/** Bounded, as the shared texts are the only part held in memory as a whole; a million rows have about 5 million. */
const MOST = { texts: 10_000_000, letters: 200_000_000 };

/**
 * The shared texts of a workbook, by index: the runs of each text joined, without its phonetic guide (`rPh`).
 * @throws WorkbookFault where there are too many texts or characters
 */
export async function sharedTexts(part: Part | undefined, most = MOST): Promise<string[]> {
  const texts: string[] = [];
  if (part === undefined) return texts;
  let text = '';
  let letters = 0;
  let isRun = false;
  const handler: XmlHandler = {
    open: (name, parent) => {
      if (name === 'si') text = '';
      isRun = name === 't' && (parent === 'si' || parent === 'r');
    },
    text: (piece, parent) => {
      if (parent === 't' && isRun) text = joined(text, piece);
    },
    close: (name) => {
      if (name !== 'si') return;
      letters += text.length;
      if (texts.length === most.texts || letters > most.letters) {
        const what = `it has more than ${most.texts} texts or ${most.letters} letters of text`;
        throw new WorkbookFault(`is too large: ${what}`, 'save the sheet as "CSV UTF-8"');
      }
      // The text is copied, as V8 keeps the whole chunk in memory as long as a substring of the chunk is used.
      texts.push(Buffer.from(unescaped(text)).toString());
    },
  };
  await readThrough(part, handler, MOST_SHEET_BYTES);
  return texts;
}

/** The most of a sheet that is held in memory to be sorted; spreadsheet programs write rows in order anyway. */
const MOST_ROWS_HELD = 10_000;
const MOST_BYTES_HELD = 10_000_000;

/**
 * Rows in the order of their lines, which is the order in which nearly all workbooks store them.
 * @throws WorkbookFault where a line comes twice, or a row is out of order after the part of the sheet that is sorted
 */
async function* inLineOrder(pieces: AsyncIterable<CsvRow[]>): AsyncGenerator<CsvRow[]> {
  let held: CsvRow[] | undefined = [];
  let bytes = 0;
  let last = 0;
  const checked = (rows: CsvRow[]) => {
    for (const { line } of rows) {
      if (line === last) throw broken(`row ${line} is there twice`);
      if (line < last) throw broken(`row ${line} comes after row ${last}`);
      last = line;
    }
    return rows;
  };
  for await (const piece of pieces) {
    if (held === undefined) {
      yield checked(piece);
      continue;
    }
    for (const row of piece) {
      held.push(row);
      bytes += rowSize(row);
    }
    if (held.length < MOST_ROWS_HELD && bytes < MOST_BYTES_HELD) continue;
    yield* batchesOf(checked(held.sort(byLine)));
    held = undefined;
  }
  if (held !== undefined) yield* batchesOf(checked(held.sort(byLine)));
}

function byLine(one: CsvRow, other: CsvRow): number {
  return one.line - other.line;
}
