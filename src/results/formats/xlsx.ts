import { capped } from '../../domain/lists/spreadsheet.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import { typedCellOf, type Cell } from '../columns.ts';
import type { ResultFormat } from './format.ts';
import { sheetPart, wholePart, workbookParts } from './xlsx-parts.ts';
import { LARGEST_ENTRY_BYTES, zipWriter } from './zip.ts';

/** A sheet has at most 1,048,576 rows, the first of which holds the headers. */
const ROWS_PER_SHEET = 1_048_575;

/**
 * A workbook (ECMA-376) with a sheet `Results`, and further sheets where one is full. Text cells are never run as
 * formulas or read as numbers, so no cell needs a `'`; times are texts with their offset. The workbook is written as a
 * stream, which the packages for workbooks do not do.
 */
export const xlsxFormat: ResultFormat = workbook(ROWS_PER_SHEET);

export function workbook(rowsPerSheet: number): ResultFormat {
  return async (columns, sink) => {
    const zip = zipWriter(sink);
    const { head, foot } = sheetPart(columns.length);
    const names = columns.map(({ name }) => name);
    let sheets = 0;
    let rows = 0;

    async function beginSheet(): Promise<void> {
      sheets += 1;
      rows = 0;
      zip.begin(`xl/worksheets/sheet${sheets}.xml`);
      await zip.write(head + rowXml(1, names, HEADER));
    }

    async function endSheet(): Promise<void> {
      await zip.write(foot);
      zip.finish();
    }

    await beginSheet();
    return {
      add: async (page) => {
        let text = '';
        for (const row of page) {
          if (rows === rowsPerSheet) {
            await zip.write(text);
            text = '';
            await endSheet();
            await beginSheet();
          }
          rows += 1;
          const cells = columns.map((column) => typedCellOf(column, row));
          text += rowXml(rows + 1, cells, TEXT);
        }
        if (zip.size + text.length * 3 > LARGEST_ENTRY_BYTES) throw tooLarge();
        if (text !== '') await zip.write(text);
      },
      end: async () => {
        await endSheet();
        for (const [name, part] of Object.entries(workbookParts(sheets))) {
          zip.begin(name);
          await zip.write(wholePart(part));
          zip.finish();
        }
        await zip.end();
      },
    };
  };
}

/** Indexes into the cell styles of `xl/styles.xml`. */
const TEXT = 1;
const HEADER = 2;

/** @param n the number of the row, from 1; every cell has its address, as some readers need it */
function rowXml(n: number, values: readonly Cell[], style: number): string {
  let xml = `<row r="${n}">`;
  for (const [i, value] of values.entries()) {
    if (value === null || value === '') continue;
    const at = `${columnLetters(i)}${n}`;
    if (typeof value === 'number') xml += `<c r="${at}"><v>${value}</v></c>`;
    else {
      const text = xmlText(capped(value));
      xml += `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
    }
  }
  return `${xml}</row>`;
}

/** A, B ... Z, AA, AB ... */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

/** Characters that XML forbids are written as in `_x000B_`; a text that looks like such an escape is escaped, too. */
function xmlText(text: string): string {
  if (!/[^\x20-\x25\x27-\x3b=\x3f-\x5e\x60-\ud7ff]/.test(text)) return text;
  return text
    .replaceAll(/_(?=x[0-9a-fA-F]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/\p{Surrogate}/gu, '\u{fffd}')
    .replaceAll(
      // eslint-disable-next-line no-control-regex -- these are what XML forbids, and CR, which it would change
      /[\x00-\x08\x0b-\x1f\ufffe\uffff]/g,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );
}

function tooLarge(): AppError {
  return usageError(
    'RESULTS_TOO_LARGE',
    'The results are too large for a workbook: a sheet holds 4 GB at most.',
    'export with --format csv or jsonl, or fewer columns with --columns',
  );
}
