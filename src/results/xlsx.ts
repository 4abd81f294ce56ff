import { PassThrough } from 'node:stream';
import { constants } from 'node:zlib';
import { ZipFile } from 'yazl';

import type { ResultFormatName } from '../domain/campaign.ts';
import { capped } from '../domain/lists/spreadsheet.ts';
import { usageError } from '../runtime/errors.ts';
import { typedCellOf, type Cell } from './columns.ts';
import { csvFormat, excelFormat, jsonlFormat, type ResultFormat, type Sink } from './format.ts';

/** A sheet has at most 1,048,576 rows; the first holds the headers. */
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
    const head = sheetHead(columns.length);
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
      await zip.write('</sheetData></worksheet>');
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
        if (zip.size + text.length * 3 > LARGEST_ENTRY_BYTES)
          throw usageError(
            'RESULTS_TOO_LARGE',
            'The results are too large for a workbook: a sheet holds 4 GB at most.',
            'export with --format csv or jsonl, or fewer columns with --columns',
          );
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

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The XML before the rows of a sheet; the first row stays visible when the sheet is scrolled. */
function sheetHead(columns: number): string {
  return wholePart(
    `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      `<cols><col min="1" max="${Math.max(columns, 1)}" width="18" customWidth="1"/></cols><sheetData>`,
  );
}

function wholePart(xml: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`;
}

/** All parts of a workbook but its rows (ECMA-376 part 1), by name, with no more content than spreadsheets need. */
function workbookParts(sheets: number): Record<string, string> {
  const each = (text: (n: number) => string) =>
    Array.from({ length: sheets }, (_, i) => text(i + 1)).join('');
  return {
    'xl/styles.xml':
      `<styleSheet xmlns="${MAIN}">` +
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      // Format 49 is "text": a cell stays text when it is edited.
      '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
      '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
      '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs>' +
      '</styleSheet>',
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each(
      (n) => `<sheet name="Results${n === 1 ? '' : ` ${n}`}" sheetId="${n}" r:id="rId${n}"/>`,
    )}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${each(
      (n) =>
        `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
    )}<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml':
      `<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>` +
      `${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`)}</Types>`,
  };
}

/** The most bytes of an entry without the zip64 extension, which not every spreadsheet can read. */
const LARGEST_ENTRY_BYTES = 0xffff_0000;

const OPTIONS = {
  // With a fixed time, an archive of the same rows has the same bytes whenever and wherever it is written.
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  compressionLevel: constants.Z_BEST_SPEED,
};

/**
 * Writes a zip archive as a stream, one entry after the other, without seeking back: little of the archive is in
 * memory, and it can be written to the standard output.
 */
export function zipWriter(sink: Sink) {
  const zip = new ZipFile();
  const written = pump();
  // An error of the pump is thrown by the next `write` or by `end`; until then it must not count as unhandled.
  written.catch(() => undefined);
  let entry = new PassThrough();
  let size = 0;

  async function pump(): Promise<void> {
    for await (const chunk of zip.outputStream) await sink(chunk);
  }

  return {
    /** Bytes of the entry so far, before they are compressed. */
    get size() {
      return size;
    },
    begin: (name: string) => {
      entry = new PassThrough();
      size = 0;
      zip.addReadStream(entry, name, OPTIONS);
    },
    write: async (text: string) => {
      const bytes = Buffer.from(text);
      size += bytes.length;
      const taken = new Promise((resolve) => entry.write(bytes, resolve));
      await Promise.race([taken, written]);
    },
    finish: () => {
      entry.end();
    },
    end: async () => {
      zip.end();
      await written;
    },
  };
}

export const RESULT_FORMATS: Readonly<Record<ResultFormatName, ResultFormat>> = {
  csv: csvFormat,
  excel: excelFormat,
  xlsx: xlsxFormat,
  jsonl: jsonlFormat,
};
