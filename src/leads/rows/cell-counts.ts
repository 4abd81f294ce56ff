import { mayAnswer } from '../columns/permission-answers.ts';
import { isAboutCalls, isOfOtherWays } from '../columns/words/permission-words.ts';
import { readRefusal } from '../columns/words/read-refusal.ts';
import { foldWords } from '../../text/fold-words.ts';
import { remembered } from '../../text/remembered.ts';

/** What the cells of a column hold. */
export interface ColumnCells {
  /** How many rows have each value, and whether it refuses calls; where `isMany`, only values that may. */
  values: Map<string, { rows: number; refuses: boolean }>;
  /** True: the column has too many different values to count, as names and numbers have. */
  isMany: boolean;
  /** True: some of its cells refuse calls; `values` has one of these at the least. */
  hasRefusals: boolean;
  /** False: its name says that it is about e-mail, texts or post, so a cell has to say that it is about calls. */
  isOfCalls: boolean;
}

/** So many different values of a column are counted, and as many again that may refuse calls. */
const MOST_VALUES = 100;

/** Characters of a cell at most: a longer one is a text, in which a word proves nothing. */
const LONGEST = 40;
/** Longer texts are not kept to be counted, as a hundred of them in each column would fill the memory. */
const LONGEST_COUNTED = 200;

/** Counts what the cells of a list hold, so that a person can say what its columns mean. */
export class CellCounts {
  /** By index; missing: all its cells are empty. */
  readonly columns: ColumnCells[] = [];
  readonly #headers: readonly string[];
  #refusing: number[] | undefined;

  constructor(headers: readonly string[]) {
    this.#headers = headers;
  }

  /** Counts the cells of a row. @returns the columns whose cells refuse calls */
  count(cells: readonly string[]): readonly number[] {
    let found: number[] | undefined;
    for (let index = 0; index < cells.length; index += 1) {
      const cell = cells[index] ?? '';
      if (cell !== '' && countCell((this.columns[index] ??= newColumn(this.#headers[index])), cell))
        (found ??= []).push(index);
    }
    return found ?? NONE;
  }

  /** The columns of a row that was counted before whose cells refuse calls. */
  refusing(cells: readonly string[]): readonly number[] {
    this.#refusing ??= [...this.columns.keys()].filter(
      (index) => this.columns[index]?.hasRefusals === true,
    );
    if (this.#refusing.length === 0) return NONE;
    return this.#refusing.filter((index) =>
      refusesCalls(cells[index] ?? '', this.columns[index]?.isOfCalls),
    );
  }
}

const NONE: readonly number[] = [];

function newColumn(header = ''): ColumnCells {
  return {
    values: new Map(),
    isMany: false,
    hasRefusals: false,
    isOfCalls: !isOfOtherWays(foldWords(header)),
  };
}

/** @returns whether the cell refuses calls */
function countCell(column: ColumnCells, cell: string): boolean {
  const { values, isMany, isOfCalls } = column;
  if (isMany && !mayDecide(cell)) return false;
  const known = values.get(cell);
  if (known !== undefined) {
    known.rows += 1;
    return known.refuses;
  }
  const refuses = refusesCalls(cell, isOfCalls);
  column.isMany ||= values.size === MOST_VALUES || cell.length > LONGEST_COUNTED;
  const isFirstRefusal = refuses && !column.hasRefusals;
  column.hasRefusals ||= refuses;
  const isKept =
    !column.isMany || isFirstRefusal || (mayDecide(cell) && values.size < 2 * MOST_VALUES);
  if (isKept) values.set(cell, { rows: 1, refuses });
  return refuses;
}

/** Whether a short cell of any column refuses calls. */
function refusesCalls(cell: string, isOfCalls = true): boolean {
  if (!mayDecide(cell) || readRefusal(cell, '') === null) return false;
  return isOfCalls || isAboutCalls(foldWords(cell));
}

/** False for cells that are not read: long ones, and numbers, dates and addresses, as most cells are these. */
function mayDecide(cell: string): boolean {
  if (cell.length > LONGEST || (cell.length > 1 && !/[a-z\u0080-\uffff]/i.test(cell))) return false;
  return !/^[^\s@]+@[^\s@]+$/.test(cell) && mayDecideBy(cell.replace(/\d{2,}/g, ''));
}

/**
 * Without its numbers, a cell such as `Acme 17` is one of few; a single digit may be a yes or a no. To read 200,000
 * different cells takes 0.8 s of processor time, an import of as many rows some 5 s.
 */
const mayDecideBy = remembered(mayAnswer, 10_000);
