/** The fields of a lead that callsheet recognises besides its number; every other column is kept unchanged. */
export const LIST_FIELDS = [
  'firstName',
  'lastName',
  'name',
  'company',
  'email',
  'externalId',
  'timezone',
  'state',
  'postalCode',
  'country',
] as const;
export type ListField = (typeof LIST_FIELDS)[number];

/**
 * What --map can name. `refusals`: a cell with words such as DNC says that the person must not be called, any other cell
 * says nothing; such a column may have another use, too. `ignore`: the column is not used, whatever its name says.
 */
export const COLUMN_TARGETS = [
  'phone',
  'doNotCall',
  'mayCall',
  'refusals',
  'ignore',
  ...LIST_FIELDS,
] as const;
export type ColumnTarget = (typeof COLUMN_TARGETS)[number];

/** The meaning of the columns of a list; columns are given by index (from 0) into the headers. */
export interface ListMapping {
  /** Columns with a number to call, in the order in which they are tried; at least one. */
  phones: number[];
  /** The column of each field; a field without a column is missing. */
  fields: Partial<Record<ListField, number>>;
  /** Columns in which a filled cell says that the person must not be called. */
  doNotCall: number[];
  /**
   * Columns that say whether the person may be called; `emptyIsNo`: the column marks people who may be called, so an
   * empty cell means no. Like all fields below, missing in mappings stored before callsheet looked for these columns.
   */
  mayCall?: { column: number; emptyIsNo: boolean }[];
  /** Status columns and those chosen as `refusals`, in which a few words (`DNC`, `Unsubscribed`) say that the lead must not be called. */
  callStates?: number[];
  /** Columns whose `when` says that the person is not called in this campaign: `Deceased` = yes, `Active` = no. */
  outOfUse?: { column: number; when: 'yes' | 'no' }[];
  /** Columns with a last day: of a refusal (`DNC expiry date`), or of a consent (`Consent valid until`). */
  lastDays?: { column: number; of: 'refusal' | 'consent' }[];
  /** Columns that may say who must not be called; neither their name nor their cells show what yes means. */
  unclear?: number[];
  /** Label columns, with the phone column that each describes; a label says whose number it is, e.g. `Home Fax`. */
  labels?: { phone: number; label: number }[];
  /** Columns of numbers that belong to somebody else or are out of use, and are never called. */
  notTheirs?: number[];
  /** Columns that the operator told callsheet to ignore. */
  ignored?: number[];
  /** What a person chose, for this list or for one before it with the same columns; `column` null: for none. */
  chosen?: MappingChoice[];
}

/** A column that a person chose, by its index. */
export interface MappingChoice {
  target: ColumnTarget;
  column: number | null;
}

/** The columns that say who may not be called, without those that are `unclear`. */
export function callColumns(mapping: ListMapping): number[] {
  const { doNotCall, mayCall = [], callStates = [], outOfUse = [], lastDays = [] } = mapping;
  const others = [...mayCall, ...outOfUse, ...lastDays].map(({ column }) => column);
  return [...doNotCall, ...others, ...callStates];
}
