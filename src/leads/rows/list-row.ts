import type { E164 } from '../../domain/phone.ts';
import type { Refusal } from './refusal.ts';

/** What is odd about a row that is taken all the same. */
export type NoteCode =
  | 'ragged_row'
  | 'unassigned_number'
  /** The number could be read only after a change. */
  | 'mended_number'
  /** The column that comes first has no number that can be called; the next one has. */
  | 'other_column'
  /** The row says that somebody is not to be called, and no number can be read in it. */
  | 'nobody_suppressed'
  /** The same person waits in another campaign, too. */
  | 'other_campaign';

export interface RowNote {
  code: NoteCode;
  text: string;
}

/** Every data row is exactly one of the four. */
export type ListRow = { line: number; cells: string[]; notes: RowNote[] } & (
  | { kind: 'good'; phone: E164; fictional: boolean }
  /** `doNotCall`: it says all the same that these numbers are not to be called. */
  | { kind: 'rejected'; refusal: Refusal; doNotCall?: { note: string; phones: E164[] } }
  | { kind: 'duplicate'; refusal: Refusal }
  /** Whoever it is must not be called; `phones`: the number to call first, then the others of the row. */
  | { kind: 'suppressed'; phones: [E164, ...E164[]]; refusal: Refusal }
);
