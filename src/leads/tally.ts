import type { ListRow, NoteCode } from './read-list.ts';
import type { Refusal, RefusalCode } from './refusal.ts';

/** Counts of a list; `good + rejected + duplicates = rows`. */
export interface RowCounts {
  rows: number;
  good: number;
  rejected: number;
  duplicates: number;
  /** Of the good ones: numbers of ranges kept for fiction. */
  fictional: number;
  /** Rejected rows and duplicates by what is wrong with them. */
  byReason: Partial<Record<RefusalCode, number>>;
  /** The first few of each reason, in the order of the file. */
  examples: { line: number; code: RefusalCode; text: string }[];
  /** Rows that are odd and taken all the same, with the first of each kind. */
  notes: Partial<Record<NoteCode, { count: number; example: string }>>;
}

const EXAMPLES_PER_REASON = 3;

export function newCounts(): RowCounts {
  return {
    rows: 0,
    good: 0,
    rejected: 0,
    duplicates: 0,
    fictional: 0,
    byReason: {},
    examples: [],
    notes: {},
  };
}

/** Counts one row. */
export function countRow(counts: RowCounts, row: ListRow): void {
  counts.rows += 1;
  if (row.kind === 'good') {
    counts.good += 1;
    if (row.fictional) counts.fictional += 1;
  } else {
    counts[row.kind === 'duplicate' ? 'duplicates' : 'rejected'] += 1;
    countRefusal(counts, row.line, row.refusal);
  }
  for (const { code, text } of row.notes) {
    const note = (counts.notes[code] ??= { count: 0, example: text });
    note.count += 1;
  }
}

function countRefusal(counts: RowCounts, line: number, { code, text }: Refusal): void {
  const count = (counts.byReason[code] ?? 0) + 1;
  counts.byReason[code] = count;
  if (count <= EXAMPLES_PER_REASON) counts.examples.push({ line, code, text });
}
