import type { PersonKey } from '../../domain/lists/person.ts';
import type { E164 } from '../../domain/phone.ts';
import type { NewLead } from '../../store/port.ts';
import type { Refusal, RowPlace } from './row-person.ts';

/** Kinds of notes for the operator, most often about a row that is taken. */
export type NoteCode =
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
      person?: PersonKey | undefined;
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
  person?: PersonKey | undefined;
}

export type RejectedRow = Extract<ListRow, { kind: 'rejected' }>;
