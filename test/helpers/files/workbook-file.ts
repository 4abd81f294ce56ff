import { zipFile, type Packed, type ZipOptions } from './zip-file.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const STRICT = 'http://purl.oclc.org/ooxml/spreadsheetml/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const STRICT_OFFICE = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

export interface SheetPlan {
  name?: string;
  /** `hidden`, `veryHidden`; default in sight. */
  state?: string;
  /** What stands in `<sheetData>`; see `rowsXml`. */
  rows: string;
  /** Default `worksheet`. */
  type?: string;
}

export interface BookPlan {
  sheets: readonly SheetPlan[];
  /** `<si>` elements. */
  texts?: string;
  /** Format codes, or numbers of built-in ones, of the styles from 1 on; style 0 is General. */
  formats?: readonly (string | number)[];
  /** Attributes of `<workbookPr>`. */
  properties?: string | undefined;
  isStrict?: boolean;
  /** Changes the parts before they are packed. */
  change?: (parts: Record<string, string>) => Record<string, string | Buffer | Packed>;
  zip?: ZipOptions;
}

/** A workbook as programs write it, with whatever is to be odd about it. */
export function workbookFile(plan: BookPlan): Buffer {
  const parts = partsOf(plan);
  return zipFile(plan.change?.(parts) ?? parts, plan.zip);
}

/** Rows of up to 26 cells that are written as XML; each is told its place. */
export function rowsXml(rows: readonly (readonly string[])[]): string {
  const placed = (cell: string, column: number, row: number) =>
    cell.replace(/^<c/, `<c r="${String.fromCharCode(65 + column)}${row}"`);
  return rows
    .map((cells, at) => cells.map((cell, column) => placed(cell, column, at + 1)).join(''))
    .map((cells, at) => `<row r="${at + 1}">${cells}</row>`)
    .join('');
}

/** A cell of a text. */
export function textCell(text: string): string {
  return `<c t="inlineStr"><is><t>${text}</t></is></c>`;
}

function partsOf(plan: BookPlan): Record<string, string> {
  const { sheets, texts, formats, properties = '', isStrict = false } = plan;
  const main = isStrict ? STRICT : MAIN;
  const office = isStrict ? STRICT_OFFICE : OFFICE;
  const tabs = sheets.map(({ name = 'Leads', state }, at) => {
    const seen = state === undefined ? '' : ` state="${state}"`;
    return `<sheet name="${name}" sheetId="${at + 1}"${seen} r:id="rId${at + 1}"/>`;
  });
  const targets = sheets.map(({ type = 'worksheet' }, at) => [
    type,
    `worksheets/sheet${at + 1}.xml`,
  ]);
  if (texts !== undefined) targets.push(['sharedStrings', 'sharedStrings.xml']);
  if (formats !== undefined) targets.push(['styles', 'styles.xml']);
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"/>`,
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']], office),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr ${properties}/><sheets>${tabs.join('')}</sheets><extLst><ext><x:workbookPr xmlns:x="y"/></ext></extLst></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(targets, office),
  };
  for (const [at, { rows }] of sheets.entries()) {
    parts[`xl/worksheets/sheet${at + 1}.xml`] =
      `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`;
  }
  if (texts !== undefined) parts['xl/sharedStrings.xml'] = `<sst xmlns="${main}">${texts}</sst>`;
  if (formats !== undefined) parts['xl/styles.xml'] = styles(formats, main);
  return parts;
}

function relations(targets: readonly (readonly string[])[], office: string): string {
  const each = targets.map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

function styles(formats: readonly (string | number)[], main: string): string {
  const idOf = (format: string | number, at: number) =>
    typeof format === 'number' ? format : 164 + at;
  const codes = formats.map((format, at) =>
    typeof format === 'number'
      ? ''
      : `<numFmt numFmtId="${idOf(format, at)}" formatCode="${escaped(format)}"/>`,
  );
  const used = formats.map((format, at) => `<xf numFmtId="${idOf(format, at)}"/>`);
  return `<styleSheet xmlns="${main}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${used.join('')}</cellXfs></styleSheet>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
