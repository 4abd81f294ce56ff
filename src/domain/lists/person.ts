import { own } from '../safe-text.ts';
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

/** Where the variables of a list's rows are: the indexes of the columns of each name, in the list's order. */
type VariableColumns = ReadonlyMap<string, readonly number[]>;

/** A variable has the trimmed name of its column; columns without a name are none. */
export function variableColumns(headers: readonly string[]): VariableColumns {
  const columns = new Map<string, number[]>();
  headers.forEach((header, at) => {
    const name = header.trim();
    if (name !== '') columns.set(name, [...(columns.get(name) ?? []), at]);
  });
  return columns;
}

/** The variable of a row: where several columns have its name, the first cell that is not blank; blank: ''. */
export function variableIn(cells: readonly string[], columns: readonly number[] = []): string {
  for (const at of columns) {
    const cell = cells[at] ?? '';
    if (cell.trim() !== '') return cell;
  }
  return '';
}

/** All variables of a row by their names. */
export function variablesIn(headers: readonly string[], cells: readonly string[]) {
  return Object.fromEntries(
    Array.from(variableColumns(headers), ([name, at]) => [name, variableIn(cells, at)]),
  );
}

/**
 * Why a person is held whose row has no word for the agent's prompt; null: it has all of them.
 * @param needed names of columns; null: the prompt has not been read yet
 */
export function blankReason(
  needed: readonly string[] | null,
  variables: Readonly<Record<string, string>>,
): string | null {
  if (needed === null)
    return "the agent's prompt has not been read since agent or `variables: require` was set; start the campaign again";
  const blank = needed.filter((name) => (own(variables, name) ?? '').trim() === '');
  if (blank.length === 0) return null;
  const are = blank.length === 1 ? 'is' : 'are';
  return `${blank.map((name) => `"${name}"`).join(', ')} ${are} blank in the list`;
}

/** How a service's prompts refer to a variable: `{{first_name}}` or `{first_name}`. */
export const NAMINGS = ['{{name}}', '{name}'] as const;
type Naming = (typeof NAMINGS)[number];

/** A name, then the filters or the default behind `|`. It needs linear time, as prompts are texts from outside. */
const DOUBLE = /\{\{([^{}|]*)(\|[^{}]*)?\}\}/gu;
/** Stricter, because prompts also contain JSON in single braces. */
const SINGLE = /\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*()\}/gu;
/** Template words such as `#if`, `/if`, `else` are no names. */
const NAME = /^[\p{L}_]/u;
const TEMPLATE_WORDS = /^(else|this|if|for|end\w*)\b/;

/**
 * The variables that a prompt needs from the list, each once, in the order of the prompt. A variable with a default
 * (`{{plan | default}}`) does not need one, unless the prompt also uses it without.
 * @param own names that the service fills in itself; `telnyx_*` is all that begin so
 */
export function promptNames(prompt: string, naming: Naming, own: readonly string[] = []): string[] {
  const found = prompt.matchAll(naming === '{{name}}' ? DOUBLE : SINGLE);
  const names = Array.from(found, ([, name = '', after = '']) => ({ name: name.trim(), after }))
    .filter(({ after }) => !/default/i.test(after))
    .map(({ name }) => name)
    .filter((name) => NAME.test(name) && !TEMPLATE_WORDS.test(name))
    .filter((name) => !own.some((one) => isLike(name, one)));
  return [...new Set(names)];
}

function isLike(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
