/** What callsheet knows of a lead besides its number; every other column is kept as it is. */
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

/** Which column of a list holds what, by index (0-based) into its headers. */
export interface ListMapping {
  /** Columns with a number to call, in the order in which they are tried; at least one. */
  phones: number[];
  /** Each field's column; a field without one is missing. */
  fields: Partial<Record<ListField, number>>;
  /** Columns that, filled in, say that the person is not to be called. */
  doNotCall: number[];
  /**
   * Columns that say whether the person may be called; `emptyIsNo`: those who may be are marked in it, so that an
   * empty cell is none. Missing, like all below, in mappings written before these columns were looked for.
   */
  mayCall?: { column: number; emptyIsNo: boolean }[];
  /** Columns of a lead's state, of which a few words (`DNC`, `Unsubscribed`) say that it is not to be called. */
  callStates?: number[];
  /** Columns that may decide about calls and had nothing in them when the list was mapped. */
  unclear?: number[];
  /** Which column says whose the number of another column is, e.g. `Home Fax`. */
  labels?: { phone: number; label: number }[];
  /** Columns of numbers that are somebody else's or nobody's any more: never called. */
  notTheirs?: number[];
  /** Columns of which the operator said that nothing is to be read out of them. */
  ignored?: number[];
}
