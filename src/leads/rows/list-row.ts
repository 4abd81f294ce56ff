import { hasZone } from '../../domain/calling/zone-key.ts';
import type { E164 } from '../../domain/phone.ts';
import type { NewLead } from '../../store/port.ts';
import { foldWords, remembered } from '../../text/fold-words.ts';
import { mayAnswer } from '../columns/permission-answers.ts';
import { isAboutCalls, isOfOtherWays } from '../columns/words/do-not-call-words.ts';
import { readRefusal } from '../columns/words/read-refusal.ts';
import type { Refusal, RefusalCode, RowPlace } from './row-person.ts';

/** Kinds of notes for the operator, most often about a row that is taken. */
type NoteCode =
  | 'ragged_row'
  | 'unassigned_number'
  /** The number could be read only after something was removed or changed. */
  | 'mended_number'
  /** The first column has no number that can be called, a later one has. */
  | 'other_column'
  /** The row says that somebody must not be called, and has no readable number. */
  | 'nobody_suppressed'
  /** The number is also in another campaign that is not over. */
  | 'other_campaign';

export interface RowNote {
  code: NoteCode;
  text: string;
}

/** A data row once it is read: one of the four. */
export type ListRow = { line: number; cells: string[]; notes: RowNote[] } & (
  | GoodRow
  /** `doNotCall`: numbers that are suppressed although the row is rejected, as the row asks for it. */
  | {
      kind: 'rejected';
      refusal: Refusal;
      doNotCall?: { note: string; phones: E164[] };
      /** The person's number, where the row gives no reason to mistrust it: a waiting lead with it is stopped. */
      stops?: E164;
    }
  | { kind: 'duplicate'; refusal: Refusal; phone?: E164; times?: RowTimes | undefined }
  /** The person must not be called; `phones`: all numbers of the row, first the one that would have been called. */
  | {
      kind: 'suppressed';
      phones: [E164, ...E164[]];
      refusal: Refusal;
      place?: RowPlace;
    }
);

/** When a row lets its person be called. */
export type RowTimes = Pick<NewLead, 'notBefore' | 'consentUntil' | 'consentGiven'>;

interface GoodRow {
  kind: 'good';
  phone: E164;
  fictional: boolean;
  /** Left out for a lead of an earlier import whose row would not be taken today. */
  place?: RowPlace | undefined;
  times?: RowTimes | undefined;
  /** Further numbers of the person that can be called, each with its own place; left out: there are none. */
  alternatives?: { phone: E164; zoneKey: string }[];
}

export type RejectedRow = Extract<ListRow, { kind: 'rejected' }>;

/** Counts of a list; `good + rejected + duplicates + suppressed = rows`. */
export type RowCounts = ReturnType<typeof newCounts>;

export function newCounts() {
  return {
    rows: 0,
    good: 0,
    rejected: 0,
    duplicates: 0,
    /** Rows of people whom nobody may call. */
    suppressed: 0,
    /** Good rows whose number could be read only after something was removed or changed. */
    mended: 0,
    /** Good rows whose number is in a range kept for fiction. */
    fictional: 0,
    /** Good rows whose list and number point to different clocks; a call has to be allowed by both. */
    zonesDisagree: 0,
    /** Good rows of people whose time zone nothing tells. */
    zonesUnknown: 0,
    byReason: {} as Partial<Record<RefusalCode, number>>,
    /** The first few rows of each reason, in the order of the file. */
    examples: [] as { line: number; code: RefusalCode; text: string }[],
    /** Numbers of notes by kind, each with the text of the first note. */
    notes: {} as Partial<Record<NoteCode, { count: number; example: string }>>,
  };
}

const EXAMPLES_PER_REASON = 3;

const COUNTS = { rejected: 'rejected', duplicate: 'duplicates', suppressed: 'suppressed' } as const;

export function countRow(counts: RowCounts, row: ListRow): void {
  counts.rows += 1;
  if (row.kind === 'good') {
    counts.good += 1;
    if (row.fictional) counts.fictional += 1;
    const { place } = row;
    if (place?.zonesDisagree === true) counts.zonesDisagree += 1;
    if (place !== undefined && !hasZone(place.zoneKey)) counts.zonesUnknown += 1;
    if (row.notes.some(({ code }) => code === 'mended_number')) counts.mended += 1;
  } else {
    counts[COUNTS[row.kind]] += 1;
    const { code, text } = row.refusal;
    const count = (counts.byReason[code] ?? 0) + 1;
    counts.byReason[code] = count;
    if (count <= EXAMPLES_PER_REASON) counts.examples.push({ line: row.line, code, text });
  }
  for (const { code, text } of row.notes) {
    const note = (counts.notes[code] ??= { count: 0, example: text });
    note.count += 1;
  }
}

interface ColumnCells {
  /** How many rows have each value, and whether it refuses calls; where `isMany`, only values that may. */
  values: Map<string, { rows: number; refuses: boolean }>;
  /** True: the column has too many different values to count, as names and numbers have. */
  isMany: boolean;
  /** True: some of its cells refuse calls; `values` has one of these at the least. */
  hasRefusals: boolean;
  /** False: its name says that it is about e-mail, texts or post, so a cell has to say that it is about calls. */
  isOfCalls: boolean;
}

/** Values that are counted in a column, and as many again that may refuse calls. */
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

  /** As `count` for a row that was counted before. */
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
