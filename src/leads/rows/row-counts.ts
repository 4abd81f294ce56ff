import { hasZone } from '../../domain/calling/zone-key.ts';
import type { ListRow, NoteCode } from './list-row.ts';
import type { RefusalCode } from './row-refusal.ts';

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
    /** Numbers of rows that are not good, by reason. */
    byReason: {} as Partial<Record<RefusalCode, number>>,
    /** The first few rows of each reason, in the order of the file. */
    examples: [] as { line: number; code: RefusalCode; text: string }[],
    /** Numbers of notes by kind, each with the text of the first note. */
    notes: {} as Partial<Record<NoteCode, { count: number; example: string }>>,
  };
}

const EXAMPLES_PER_REASON = 3;

const COUNTS = { rejected: 'rejected', duplicate: 'duplicates', suppressed: 'suppressed' } as const;

/** Counts one row. */
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
