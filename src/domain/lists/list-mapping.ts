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
 * What --map can name. `refusals`: a cell with words such as DNC says that the person must not be called, any other
 * cell says nothing; such a column may have another use, too. `ignore`: the column is not used, whatever its name says.
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

/** A person's choices for a list that is not imported yet; null: found from the list itself. */
export interface ChosenReading {
  /** Column -> meaning, only where it was changed: a header, or `#3` for the third column. */
  columns: Record<string, ColumnTarget>;
  encoding: string | null;
  delimiter: string | null;
  sheet: string | null;
  /** The day the list dates from: `2026-01-05`. */
  asOf: string | null;
}

/** True for a list that was sent to a draft and whose import has not begun. */
export function isSent(list: {
  input: ChosenReading | null;
  importer: object | null;
  finishedAt: number | null;
}): boolean {
  return list.input !== null && list.importer === null && list.finishedAt === null;
}

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
  /** A person's choices, for this list or an earlier one with the same columns; `column` null: for none. */
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

/** A column that a later list has and this one lacks; its cells follow those of the list's own columns. */
export interface AddedColumn {
  header: string;
  /** Set where the list has no column of this field. */
  field?: ListField;
}

/** The columns of a list and those that later lists have added. */
export interface MergedColumns {
  headers: readonly string[];
  mapping: Pick<ListMapping, 'fields' | 'mayCall'> | null;
  added: readonly AddedColumn[];
}

/** The columns of a later list that correct this one. */
type LaterColumns = Pick<MergedColumns, 'headers' | 'mapping'>;

/** The columns of all fields, those that later lists have added included. */
export function fieldsOf({ headers, mapping, added }: MergedColumns): ListMapping['fields'] {
  const fields = { ...mapping?.fields };
  added.forEach(({ field }, i) => {
    if (field !== undefined) fields[field] ??= headers.length + i;
  });
  return fields;
}

/**
 * Finds where the cells of a later list go in the rows of an earlier one: by the header (its first column to the first,
 * its second to the second), by the field too, and else to a new column.
 * @returns the columns with the new ones, and the function that corrects a row
 */
export function mergeColumns(earlier: MergedColumns, later: LaterColumns) {
  const added = [...earlier.added];
  const own = [...earlier.headers, ...added.map(({ header }) => header)];
  const places = new Map(namesOfColumns(own).map((name, index) => [name, index]));
  const known = fieldsOf(earlier);
  const fields = new Map(
    Object.entries(later.mapping?.fields ?? {}).map(([field, index]) => [
      index,
      field as ListField,
    ]),
  );
  const targets = namesOfColumns(later.headers).map((name, index) => {
    const field = fields.get(index);
    const ofField = field === undefined ? undefined : known[field];
    let place = places.get(name);
    if (place === undefined) {
      place = earlier.headers.length + added.length;
      const header = later.headers[index] ?? '';
      added.push(field === undefined || ofField !== undefined ? { header } : { header, field });
    }
    return ofField === undefined ? [place] : [place, ofField];
  });

  return {
    added,
    /** The header of a column whose yes let the person be called, and which the later list leaves empty. */
    emptiedConsent: (cells: readonly string[], corrected: readonly string[]) => {
      const isBlank = (cell: string | undefined) => (cell ?? '').trim() === '';
      const emptied = earlier.mapping?.mayCall?.find(
        ({ column, emptyIsNo }) =>
          emptyIsNo && !isBlank(cells[column]) && isBlank(corrected[column]),
      );
      return emptied && earlier.headers[emptied.column];
    },
    correct: (cells: readonly string[], laterCells: readonly string[]): string[] => {
      const corrected = [...cells];
      targets.forEach((places, index) => {
        for (const place of places) corrected[place] = laterCells[index] ?? '';
      });
      return Array.from(corrected, (cell: string | undefined) => cell ?? '');
    },
  };
}

/** Tells the second column of a name from the first. */
export function namesOfColumns(headers: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return headers.map((header) => {
    const nth = (seen.get(header) ?? 0) + 1;
    seen.set(header, nth);
    return `${nth} ${header}`;
  });
}

/** Sources from which a campaign takes lists by itself; kept with the campaign. */
export interface ListSources {
  /** Absolute folders, absolute globs (`*` and `?` in the last part), and http(s) addresses. */
  from: string[];
  /** True: `serve` and `run` look every minute while they work, and not at openings alone. Default false. */
  watch: boolean;
  /** A file that was taken or refused is moved into a folder beside it, or left there. Default move. */
  after: 'move' | 'keep';
  /** `sync`: each list is complete, and waiting people who are not on it leave. Default add. */
  mode: 'add' | 'sync';
  /** The environment variable with the key of the addresses; left out: they are asked without a key. */
  keyEnv?: string;
  /** The largest answer of an address, in millions of bytes, 1 to 10,000. Default 200. */
  maxMegabytes: number;
}

export const SOURCE_DEFAULTS = {
  watch: false,
  after: 'move',
  mode: 'add',
  maxMegabytes: 200,
} as const satisfies Partial<ListSources>;

export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** True when the last part of a path has `*` or `?`. */
export function isGlob(path: string): boolean {
  return !isAddress(path) && /[*?][^/\\*?]*$/.test(path);
}

/** True when a part before the last one has `*`, which no glob may have. */
export function hasWildFolder(path: string): boolean {
  return !isAddress(path) && /\*[^/\\*]*[/\\]/.test(path);
}
