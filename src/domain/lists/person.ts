import { LIST_FIELDS, type ListMapping } from './list-mapping.ts';

/** What a row says of its person, by the columns that the import of its list recognised. */
export const PERSON_FIELDS = LIST_FIELDS.map((field) => (field === 'name' ? 'fullName' : field));
export type PersonField = (typeof PERSON_FIELDS)[number];

export function isPersonField(name: string): name is PersonField {
  return (PERSON_FIELDS as readonly string[]).includes(name);
}

/** A field without a column is missing; that of a blank cell is a blank text. */
export type Person = Readonly<Partial<Record<PersonField, string>>>;

/**
 * The person of a row, each cell without the blanks around it. The full name is that of its own column, or, where
 * that is missing or blank, the first and the last name; a full name is never cut into parts, as nobody knows
 * which part is which.
 */
export function personIn(
  { fields }: Pick<ListMapping, 'fields'>,
  cells: readonly string[],
): Person {
  const person: Partial<Record<PersonField, string>> = {};
  for (const field of LIST_FIELDS) {
    const index = fields[field];
    if (index === undefined) continue;
    person[field === 'name' ? 'fullName' : field] = (cells[index] ?? '').trim();
  }
  if ((person.fullName ?? '') === '') {
    const parts = [person.firstName, person.lastName].filter((part) => part !== undefined);
    const whole = parts.filter((part) => part !== '').join(' ');
    if (parts.length > 0) person.fullName = whole;
  }
  return person;
}
