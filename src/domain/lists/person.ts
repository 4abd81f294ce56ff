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

/** Who a row is about, as far as its list says. */
export interface PersonKey {
  /** `id ` and the external id or, where the list has none for this person, `mail ` and the e-mail address; folded. */
  key: string;
  /** The words of the name, folded, with a space between them; '': unknown. */
  name: string;
}

/** An id of this length or more is not given twice by chance, as by two lists that count from 1. */
const UNIQUE_ID = 10;

/**
 * Whether two leads with the same key are one person; @param isOneCampaign both are in the same campaign.
 *
 * Ids and addresses may be those of a household or a company, so that names, where both are known, have to agree: the
 * words of the shorter one are in the other. Campaigns may count their people from 1 each, so that over campaigns a
 * short id needs both names.
 */
export function isSamePerson(
  { key, name }: PersonKey,
  other: string,
  isOneCampaign: boolean,
): boolean {
  const [few = [], many = []] = [name, other]
    .map((one) => one.split(' ').filter((word) => word !== ''))
    .sort((a, b) => a.length - b.length);
  const isUnique = key.startsWith('mail ') || key.length - 'id '.length >= UNIQUE_ID;
  if (few.length === 0) return isOneCampaign || isUnique;
  if (few.every((word) => many.includes(word))) return true;
  // A family name may change.
  return isOneCampaign && key.startsWith('id ') && few[0] === many[0];
}

/**
 * An id or an address with more numbers than this belongs to no person, but to a company, a form's default or a test.
 */
export const MOST_NUMBERS = 4;
