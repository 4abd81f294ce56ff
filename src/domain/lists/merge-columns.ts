import type { ListField, ListMapping } from './list-mapping.ts';

/** A column that a later list has and this one lacks; its cells follow those of the list's own columns. */
export interface AddedColumn {
  header: string;
  /** Set where the list has no column of this field. */
  field?: ListField;
}

/** The columns of a list, with those that later lists have added. */
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
 *
 * @returns the columns with the new ones, and the function that corrects a row
 */
export function mergeColumns(earlier: MergedColumns, later: LaterColumns) {
  const added = [...earlier.added];
  const own = [...earlier.headers, ...added.map(({ header }) => header)];
  const places = new Map(named(own).map((name, index) => [name, index]));
  const known = fieldsOf(earlier);
  const fields = new Map(
    Object.entries(later.mapping?.fields ?? {}).map(([field, index]) => [
      index,
      field as ListField,
    ]),
  );
  const targets = named(later.headers).map((name, index) => {
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
function named(headers: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return headers.map((header) => {
    const nth = (seen.get(header) ?? 0) + 1;
    seen.set(header, nth);
    return `${nth} ${header}`;
  });
}
