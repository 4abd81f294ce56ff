import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { widthOf } from '../read/row.ts';
import { isYesOrNo } from './answer-words.ts';
import { looksLikeNumber } from '../phone/phone-cell.ts';

type Row = readonly string[];

/** How wide the rows of a table are, by its headings and its first rows. */
export interface RowShape {
  /** Columns with a heading, and those without one that most rows fill in; with no headings: cells of most rows. */
  columns: number;
  /** Cells of most rows as they are written: more than `columns` where lines end with delimiters. */
  usual: number;
  hasHeadings: boolean;
  /** The delimiter; null for a workbook, in which each cell says its column and empty ones are left out. */
  delimiter: string | null;
  /** The first rows that have as many cells as they should. */
  first: readonly Row[];
}

/** Cells of a row are not where the headings say. */
export interface Misalignment {
  /** `shifted`: they have moved; `short`: columns that decide something are missing. */
  kind: 'shifted' | 'short';
  /** By how many columns they may have moved: to the right, or to the left (negative). */
  by: number;
  /** Mapped columns that the row does not have. */
  missing: readonly number[];
}

/** @param headings null where the list has none */
export function rowShape(
  headings: Row | null,
  data: readonly Row[],
  delimiter: string | null,
): RowShape {
  const widths = data.map((cells) => cells.length);
  const columns = headings === null ? mostFrequent(widths) : columnsOf(headings, data);
  const ends = mostFrequent(widths);
  const isRule = widths.filter((width) => width === ends).length > data.length / 2;
  const usual = isRule ? Math.max(columns, ends) : columns;
  const first = data.filter(
    (cells) => cells.length <= usual && cells.length >= columns && widthOf(cells) <= columns,
  );
  return { columns, usual, hasHeadings: headings !== null, delimiter, first };
}

/**
 * Tells rows whose cells stand below the headings that they belong to from those in which they may not: a delimiter
 * without quotes has moved them, so that a date is in the column of numbers and a yes beside the column of those who
 * must not be called. Empty cells at the end are no sign of it, unless something has moved with them.
 *
 * @returns `few`: the last cells are missing, and none of them decides anything
 */
export function rowAlignment(
  shape: RowShape,
  mapping: ListMapping,
): (cells: Row) => Misalignment | 'fits' | 'few' {
  const { columns, usual, delimiter } = shape;
  const { phones, notTheirs = [], doNotCall } = mapping;
  const { mayCall = [], callStates = [], unclear = [], labels = [] } = mapping;
  const answers = [...doNotCall, ...mayCall.map(({ column }) => column), ...callStates, ...unclear];
  const others = [...Object.values(mapping.fields), ...labels.map(({ label }) => label)];
  const decisive = [...new Set([...phones, ...answers, ...others])].toSorted((a, b) => a - b);
  const seen = new Map<string, boolean>();

  return (cells) => {
    const { length } = cells;
    if (length === columns) return 'fits';
    if (length > columns) {
      const width = widthOf(cells);
      if (width > columns) return { kind: 'shifted', by: width - columns, missing: [] };
      if (length <= usual || delimiter === null || !isMoved(cells, length - usual)) return 'fits';
      return { kind: 'shifted', by: length - usual, missing: [] };
    }
    if (delimiter === null) return 'fits';
    const missing = decisive.filter((column) => column >= length);
    if (missing.length > 0) return { kind: 'short', by: length - columns, missing };
    return isMoved(cells, length - columns)
      ? { kind: 'shifted', by: length - columns, missing: [] }
      : 'few';
  };

  /**
   * Signs of a shift: a number or an answer in a column beside its own where no other row has one, or a cell that begins
   * with a space, as the rest of a text does that was cut at a comma.
   */
  function isMoved(cells: Row, by: number): boolean {
    const beside = (ours: readonly number[], test: Test, alike: readonly number[] = ours) =>
      ours
        .flatMap((column) => reach(column, by))
        .some((at) => !alike.includes(at) && isAlone(cells, at, test));
    return (
      beside(phones, TESTS.number, [...phones, ...notTheirs]) ||
      beside(answers, TESTS.answer) ||
      (by > 0 && cells.some((_, at) => isAlone(cells, at, TESTS.spaced)))
    );
  }

  function isAlone(cells: Row, at: number, test: Test): boolean {
    return at < columns && test.holds(cells[at] ?? '') && !isUsual(at, test);
  }

  function isUsual(at: number, { name, holds }: Test): boolean {
    const key = `${name}${name === 'spaced' ? '' : at}`;
    const isInOthers =
      seen.get(key) ??
      shape.first.some((row) => (name === 'spaced' ? row.some(holds) : holds(row[at] ?? '')));
    seen.set(key, isInOthers);
    return isInOthers;
  }
}

/** The places to which the cell of a column may have moved, without its own. */
export function reach(column: number, by: number): number[] {
  const step = Math.sign(by);
  return Array.from({ length: Math.abs(by) }, (_, n) => column + step * (n + 1));
}

interface Test {
  name: string;
  holds: (cell: string) => boolean;
}

const TESTS = {
  number: { name: 'number', holds: (cell) => cell !== '' && looksLikeNumber(cell) },
  answer: { name: 'answer', holds: (cell) => cell !== '' && isYesOrNo(cell) },
  spaced: { name: 'spaced', holds: (cell) => /^ \S/.test(cell) },
} as const satisfies Record<string, Test>;

function columnsOf(headings: Row, data: readonly Row[]): number {
  for (let columns = headings.length; columns > widthOf(headings); columns--) {
    const filled = data.filter((cells) => (cells[columns - 1] ?? '').trim() !== '').length;
    if (filled > data.length / 2) return columns;
  }
  return widthOf(headings);
}

/** The larger one of two that are equally frequent. */
export function mostFrequent(widths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}
