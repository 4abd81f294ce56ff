import { readRefusal } from '../columns/words/read-refusal.ts';
import { isOfOtherWays } from '../columns/permission-columns.ts';
import { isAboutCalls } from '../columns/words/permission-words.ts';
import { foldWords } from '../../text/fold-words.ts';
import { remembered } from '../../text/remembered.ts';

/** What the cells of a column hold. */
export interface ColumnCells {
  /** How many rows have each value; not complete where `isMany`. */
  values: Map<string, number>;
  /** True: the column has too many different values to count, as names and numbers have. */
  isMany: boolean;
  /** How many rows have each value that refuses calls. */
  refusals: Map<string, number>;
  /** False: its name says that it is about e-mail, texts or post, so a cell has to say that it is about calls. */
  isOfCalls: boolean;
}

/** So many different values of a column are counted. */
const MOST_VALUES = 100;

/** Characters of a cell at most: a longer one is a text, in which a word proves nothing. */
const LONGEST = 40;

/** Counts what the cells of a list hold, so that a person can say what its columns mean. */
export class CellCounts {
  /** By index; missing: all its cells are empty. */
  readonly columns: ColumnCells[] = [];
  readonly #headers: readonly string[];

  constructor(headers: readonly string[]) {
    this.#headers = headers;
  }

  /** Counts the cells of a row. @returns the columns whose cells refuse calls */
  count(cells: readonly string[]): readonly number[] {
    let found = NONE;
    for (let index = 0; index < cells.length; index += 1) {
      const cell = cells[index] ?? '';
      if (cell !== '' && countCell((this.columns[index] ??= newColumn(this.#headers[index])), cell))
        found = [...found, index];
    }
    return found;
  }

  /** The columns of a row that was counted before whose cells refuse calls. */
  refusing(cells: readonly string[]): readonly number[] {
    this.#refusing ??= [...this.columns.keys()].filter(
      (index) => (this.columns[index]?.refusals.size ?? 0) > 0,
    );
    return this.#refusing.length === 0
      ? NONE
      : this.#refusing.filter((index) =>
          refusesCalls(cells[index] ?? '', this.columns[index]?.isOfCalls),
        );
  }

  #refusing: number[] | undefined;
}

const NONE: readonly number[] = [];

function newColumn(header = ''): ColumnCells {
  const isOfCalls = !isOfOtherWays(foldWords(header));
  return { values: new Map(), isMany: false, refusals: new Map(), isOfCalls };
}

/** @returns whether the cell refuses calls */
function countCell(column: ColumnCells, cell: string): boolean {
  const { values, refusals } = column;
  const before = values.get(cell);
  if (before !== undefined || values.size < MOST_VALUES) values.set(cell, (before ?? 0) + 1);
  else column.isMany = true;
  const isNew = before === undefined && !refusals.has(cell);
  const refuses = isNew ? refusesCalls(cell, column.isOfCalls) : refusals.has(cell);
  if (refuses && (refusals.has(cell) || refusals.size < MOST_VALUES))
    refusals.set(cell, (refusals.get(cell) ?? 0) + 1);
  return refuses;
}

/** Whether a short cell of any column refuses calls. Numbers, dates and addresses are not read, as most cells are these. */
function refusesCalls(cell: string, isOfCalls = true): boolean {
  if (cell.length > LONGEST || !/[a-z\u0080-\uffff]/i.test(cell) || cell.includes('@'))
    return false;
  const folded = mayRefuse(cell.replace(/\d+/g, '')) ? foldWords(cell) : '';
  return folded !== '' && readRefusal(cell, '') !== null && (isOfCalls || isAboutCalls(folded));
}

/**
 * Without its digits, a cell such as `Acme 17` is one of few. To read 200,000 different cells takes 0.8 s of processor
 * time, an import of as many rows some 5 s.
 */
const mayRefuse = remembered((text) => readRefusal(text, '') !== null, 10_000);
