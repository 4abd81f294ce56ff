import { LIST_FIELDS, type ListMapping } from './list-mapping.ts';

/** Names of the fields of a person, which come from the columns that the import of the list recognised. */
export const PERSON_FIELDS = LIST_FIELDS.map((field) => (field === 'name' ? 'fullName' : field));
export type PersonField = (typeof PERSON_FIELDS)[number];

export function isPersonField(name: string): name is PersonField {
  return (PERSON_FIELDS as readonly string[]).includes(name);
}

/** A field without a column is missing; a field with a blank cell is an empty text. */
export type Person = Readonly<Partial<Record<PersonField, string>>>;

/**
 * The person of a row, with all cells trimmed. The full name comes from its own column or, where that is missing or
 * blank, from the first and the last name. A full name is never split into first and last name, as the order differs.
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
