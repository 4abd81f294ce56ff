import { MOST_COLUMNS, rowSize, type CsvRow } from '../read/row.ts';
import {
  cellText,
  GENERAL,
  lacksResult,
  type CellSource,
  type StoredCell,
  type Styles,
} from './cell-value.ts';
import {
  attribute,
  broken,
  isTrue,
  joined,
  LONGEST,
  MOST_SHEET_BYTES,
  WorkbookFault,
  type Attributes,
  type XmlHandler,
} from './parts.ts';

export interface SheetSource extends CellSource {
  styles: Styles;
}

const MOST_ROWS = 1_048_576;

const DELETE_FAR = 'delete what stands far to the right of the list';

/**
 * Builds rows from the XML of a sheet, without empty rows. A sheet does not store empty cells, so each row is filled up
 * to the width of the widest row before it. A cell or row without an address follows the previous one.
 */
export class SheetReader implements XmlHandler {
  /** Rows hidden by a filter or a person; they are read, too. */
  hidden = 0;
  /** Formulas without a stored result, and the place of the first one. */
  unsolved = 0;
  firstUnsolved = '';

  readonly #source: SheetSource;
  #rows: CsvRow[] = [];
  isDone = false;
  #line = 0;
  #isRowNamed = false;
  #isHidden = false;
  #cells: string[] = [];
  #size = 0;
  #width = 0;
  #column = 0;
  #cell: StoredCell = newCell('n', GENERAL);
  #into: 'value' | 'inline' | 'formula' | null = null;

  constructor(source: SheetSource) {
    this.#source = source;
  }

  /** Returns and removes the rows that were completed since the last call. */
  take(): CsvRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, parent: string, attributes: Attributes): void {
    this.#into = null;
    if (parent === 'row') {
      if (name === 'c') this.#beginCell(attributes);
    } else if (parent === 'c') {
      if (name === 'v') this.#begin('value');
      else if (name === 'is') this.#cell.inline ??= '';
      else if (name === 'f') this.#begin('formula');
    } else if (name === 't') {
      // The `t` of a phonetic guide (`rPh`) is not a part of the text.
      if (parent === 'is' || parent === 'r') this.#begin('inline');
    } else if (name === 'row' && parent === 'sheetData') this.#beginRow(attributes);
  }

  text(text: string): void {
    const into = this.#into;
    if (into !== null) this.#cell[into] = joined(this.#cell[into], text);
  }

  close(name: string, parent: string): void {
    this.#into = null;
    if (name === 'c' && parent === 'row') this.#endCell();
    else if (name === 'row' && parent === 'sheetData') this.#endRow();
    else if (name === 'sheetData') this.isDone = true;
  }

  #begin(into: 'value' | 'inline' | 'formula'): void {
    this.#into = into;
    this.#cell[into] ??= '';
  }

  #beginRow(attributes: Attributes): void {
    const line = attribute(attributes, 'r');
    this.#isRowNamed = line !== undefined;
    this.#line = line === undefined ? this.#line + 1 : Number(line);
    this.#isHidden = isTrue(attribute(attributes, 'hidden'));
    this.#column = 0;
    this.#cells = [];
  }

  #beginCell(attributes: Attributes): void {
    const { r: address } = attributes;
    if (address === undefined) this.#column += 1;
    else {
      this.#column = columnOf(address) ?? this.#column + 1;
      if (!this.#isRowNamed) this.#line = Number(/(?<!\d)\d+$/.exec(address)?.[0] ?? this.#line);
      this.#isRowNamed = true;
    }
    const style = Number(attributes['s'] ?? '0');
    this.#cell = newCell(attributes['t'] ?? 'n', this.#source.styles(style));
  }

  #endCell(): void {
    const text = cellText(this.#cell, this.#source);
    if (text === '') return;
    if (lacksResult(this.#cell)) {
      this.unsolved += 1;
      this.firstUnsolved ||= this.#place();
    }
    if (this.#column > MOST_COLUMNS) {
      const beyond = `is beyond column ${MOST_COLUMNS}, and a list has no more of them`;
      throw new WorkbookFault(`has a value that ${beyond} (${this.#place()})`, DELETE_FAR);
    }
    this.#fillTo(this.#column);
    this.#cells[this.#column - 1] = text;
  }

  /** Limits the memory of rows: a shared text is stored once in the file, but may appear in many rows. */
  #takeUp(size: number): void {
    this.#size += size;
    const row = `row ${this.#line} has more than ${LONGEST} letters`;
    if (size > LONGEST) throw new WorkbookFault(`is too large: ${row}`);
    if (this.#size <= MOST_SHEET_BYTES) return;
    const rows = `its rows take more than ${MOST_SHEET_BYTES} bytes`;
    throw new WorkbookFault(`is too large: ${rows}`, DELETE_FAR);
  }

  #fillTo(width: number): void {
    for (let at = this.#cells.length; at < width; at++) this.#cells.push('');
  }

  #endRow(): void {
    if (this.#cells.length === 0) return;
    const line = this.#line;
    if (!Number.isInteger(line) || line < 1 || line > MOST_ROWS) {
      throw broken(`it has a row ${line}, and a sheet has ${MOST_ROWS} at most`);
    }
    this.#fillTo(this.#width);
    this.#width = this.#cells.length;
    const row = { line, cells: this.#cells };
    this.#takeUp(rowSize(row));
    if (this.#isHidden) this.hidden += 1;
    this.#rows.push(row);
  }

  #place(): string {
    return `row ${this.#line}, column ${this.#column}`;
  }
}

function newCell(type: string, format: StoredCell['format']): StoredCell {
  return { type, value: null, inline: null, formula: null, format };
}

/** The column of an address such as `AB12`, counted from 1; undefined for anything else. */
function columnOf(address: string): number | undefined {
  let column = 0;
  for (let at = 0; at < address.length && at < 7; at++) {
    const code = address.charCodeAt(at) & ~0x20;
    if (code < 0x41 || code > 0x5a) break;
    column = column * 26 + code - 0x40;
  }
  return column === 0 ? undefined : column;
}
