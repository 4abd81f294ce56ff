import { callColumns, type ListMapping } from '../../domain/lists/list-mapping.ts';
import { foldWords, remembered } from '../../text/fold-words.ts';
import { isMissing, looksLikeNumber } from '../phone/phone-cell.ts';
import { widthOf } from '../read/row.ts';
import { callKind } from './permission-columns.ts';
import { isYesOrNo } from './words/permission-words.ts';
import { isNoLabelToCall, numberNamed } from './words/number-words.ts';

type Row = readonly string[];

export interface RowShape {
  /** Columns with a heading, and columns without one that most rows fill; without headings: the cells of most rows. */
  columns: number;
  /** The written cells of most rows: more than `columns` where lines end with delimiters. */
  usual: number;
  hasHeadings: boolean;
  /** The delimiter; null for a workbook, where each cell names its column and empty cells are not written. */
  delimiter: string | null;
  /** Those of the first rows that have the right number of cells. */
  first: readonly Row[];
}

/** How the cells of a row are not below their headings. */
export interface Misalignment {
  /** `shifted`: cells have moved to other columns; `short`: mapped columns are missing. */
  kind: 'shifted' | 'short';
  /** By how many columns cells may have moved: positive to the right, negative to the left. */
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
 * Returns a function that tells whether the cells of a row are below their headings. An unquoted delimiter in a cell
 * shifts the cells after it, so that a date may get into the phone column, and a yes into the column beside the
 * do-not-call column. Empty cells at the end are not a sign of a shift, unless a cell has visibly moved.
 * @returns `few`: the last cells are missing, and all of them are in columns without a meaning
 */
export function rowAlignment(
  shape: RowShape,
  mapping: ListMapping,
): (cells: Row) => Misalignment | 'fits' | 'few' {
  const { columns, usual, delimiter } = shape;
  const { phones, notTheirs = [], unclear = [], labels = [] } = mapping;
  const answers = [...callColumns(mapping), ...unclear];
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
   * Signs of a shift: a phone number or a yes/no answer in a column where none of the first rows has one, beside the
   * column for it; or a cell that begins with a space, like the rest of a text that was cut at a comma.
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

/** The columns to which the cell of a column may have moved. */
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

/** True for the headings of a file of rejected rows. */
export function isRejects(headers: readonly string[]): boolean {
  return headers.at(-2) === 'line' && headers.at(-1) === 'reason';
}

function columnsOf(headings: Row, data: readonly Row[]): number {
  const least = widthOf(headings);
  for (let columns = headings.length; columns > least; columns--) {
    const filled = data.filter((cells) => (cells[columns - 1] ?? '').trim() !== '').length;
    if (filled > data.length / 2) return columns;
  }
  return least;
}

/** The most frequent width; of two equally frequent ones, the larger; 0 without any. */
export function mostFrequent(widths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

/** A phone column, found by its header. */
export interface PhoneColumn {
  index: number;
  /** The smallest rank is called first; between equal ranks the operator chooses. */
  rank: number;
}

/** The least share of the filled cells that must look like phone numbers. */
const MOST = 0.6;

/** The columns whose names say that they hold a number to call, the better ones first. */
export function phoneColumnsByName(headers: readonly string[]): PhoneColumn[] {
  return headers
    .flatMap((header, index) => {
      const rank = rankOf(header);
      return typeof rank === 'number' ? [{ index, rank }] : [];
    })
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
}

/** The columns whose names say that their numbers belong to somebody else or are out of use. */
export function othersColumnsByName(headers: readonly string[]): number[] {
  return headers.flatMap((header, index) => (rankOf(header) === 'notTheirs' ? [index] : []));
}

/** True when the given rows hold numbers in this column; undefined when the column is empty in all of them. */
export function holdsNumbers(
  rows: readonly (readonly string[])[],
  index: number,
): boolean | undefined {
  const cells = rows.map((cells) => (cells[index] ?? '').trim()).filter((cell) => !isMissing(cell));
  if (cells.length === 0) return undefined;
  return cells.filter(looksLikeNumber).length >= cells.length * MOST;
}

/** The rank of a header; `DNC Phone` and the like are do-not-call columns and have none. */
function rankOf(header: string): ReturnType<typeof numberNamed> {
  const rank = numberNamed(foldWords(header));
  return rank !== undefined && callKind(header) === 'doNotCall' ? undefined : rank;
}

/** The words by which exports name the label of a number, and those by which they name the number itself. */
const LABEL = /(?:^| )(?:label|type|kind|typ|tipo|art)(?= |$)/;
const VALUE = /(?:^| )(?:value|number|no|nr|nummer|numero)(?= |$)/;

/**
 * Finds the label column of each phone column, which says whose number it is: `Phone 1 - Label` or `Phone 1 - Type` for
 * `Phone 1 - Value`, `primary_phone_type` for `primary_phone`.
 * @param phones indexes of the phone columns
 */
export function phoneLabels(
  headers: readonly string[],
  phones: readonly number[],
): { phone: number; label: number }[] {
  const folded = headers.map(foldWords);
  const bare = (header: string, words: RegExp) => header.replace(words, '').trim();
  const labels = new Map<string, number>();
  for (const [index, header] of folded.entries()) {
    if (LABEL.test(header)) labels.set(bare(header, LABEL), index);
  }
  return phones.flatMap((phone) => {
    const header = folded[phone] ?? '';
    const label = labels.get(header) ?? labels.get(bare(header, VALUE));
    return label === undefined || label === phone ? [] : [{ phone, label }];
  });
}

/** True for the label of a number that is a fax, belongs to somebody else or is out of use. */
export const labelForbids = remembered(
  (cell) => cell.trim() !== '' && isNoLabelToCall(foldWords(cell)),
);
