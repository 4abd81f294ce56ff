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
}
