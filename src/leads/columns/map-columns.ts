import {
  LIST_FIELDS,
  type ColumnTarget,
  type ListField,
  type ListMapping,
  type MappingChoice,
} from '../../domain/lists/list-mapping.ts';
import { AppError, EXIT } from '../../runtime/errors.ts';
import { foldWords, normalizeHeader } from '../../text/fold-words.ts';
import { someOf } from '../../text/wording.ts';
import { countryNamed } from '../phone/countries.ts';
import { choiceFor, CHOICES_SHOWN, noPhoneColumn, type Table } from './column-choices.ts';
import { callKind, chosenCalls } from './permission-columns.ts';
import {
  holdsNumbers,
  othersColumnsByName,
  phoneColumnsByName,
  phoneLabels,
  type PhoneColumn,
} from './row-shape.ts';
import { FIELD_NAMES, numberNamed } from './words/number-words.ts';

/** Several phone columns are equally good, and nothing says which one is called first: the operator has to choose. */
export class AmbiguousPhoneColumns extends AppError {
  readonly candidates: readonly number[];
  readonly names: ReadonlyMap<number, string>;

  constructor({ path, headers }: Table, candidates: readonly number[]) {
    const names = candidates.map((index) => `column ${index + 1} "${headers[index] ?? ''}"`);
    const shown = candidates.slice(0, CHOICES_SHOWN);
    const flags = shown.map((index) => choiceFor('phone', index, headers));
    super(
      'LIST_COLUMN_UNCLEAR',
      `${path} has ${candidates.length} columns of numbers that are equally good: ${someOf(names, CHOICES_SHOWN)}; only you can say which one to call first.`,
      {
        hint: `give ${flags.join(' or ')} (or several of them, in the order to call)`,
        exitCode: EXIT.usage,
      },
    );
    this.candidates = candidates;
    this.names = new Map(candidates.map((index) => [index, (headers[index] ?? '').trim()]));
  }
}

/**
 * Finds the columns by their names, in any spelling (`Phone_Number`, `phoneNumber`, `PHONE NUMBER`), and checks in the
 * first rows whether the cells confirm the names. Phone columns are tried in this order: mobile, direct line, work,
 * home, a company's switchboard; in exports of well-known programs, in the order of their template. Columns with
 * numbers of other people or numbers out of use are left out. Columns that say who may not be called are found, too.
 * @param path the list, for messages
 * @param rows the first rows of the list, as far as they are known
 * @param choices the columns that the operator chose, which override all of this
 * @param toSuppress true for a list of numbers to suppress: takes all phone columns, also those of other people.
 *   Default false
 * @throws AppError `LIST_HAS_NO_PHONE_COLUMN`; `LIST_COLUMN_UNCLEAR` for a choice that contradicts its column's name;
 *   `AmbiguousPhoneColumns`
 */
export function mapColumns(
  path: string,
  headers: readonly string[],
  rows: Table['rows'] = [],
  choices: readonly MappingChoice[] = [],
  toSuppress = false,
): ListMapping {
  const table = { path, headers, rows };
  const chosen = (target: ColumnTarget) => {
    const ours = choices.filter((choice) => choice.target === target);
    return ours.length === 0 ? undefined : [...new Set(ours.flatMap(({ column }) => column ?? []))];
  };
  const ignored = chosen('ignore') ?? [];
  const fields: ListMapping['fields'] = {};
  const plain = headers.map((name) => (name.length > LONGEST_NAME ? '' : normalizeHeader(name)));
  for (const field of LIST_FIELDS) {
    const index =
      chosen(field)?.[0] ?? (chosen(field) ? undefined : fieldColumn(field, plain, rows));
    if (index !== undefined && !ignored.includes(index)) fields[field] = index;
  }
  const every = toSuppress ? (chosen('phone') ?? everyNumber(table)) : [];
  if (every.length > 0) return { phones: every, fields, doNotCall: [], mayCall: [], ignored };
  const phones = chosen('phone') ?? phoneColumns(table, ignored);
  if (phones.length === 0) throw noPhoneColumn(table, []);
  const labels = phoneLabels(headers, phones);
  const others = [...ignored, ...Object.values(fields), ...labels.map(({ label }) => label)];
  const settled = [...phones, ...others];
  const [doNotCall, mayCall, refusals] = [
    chosen('doNotCall'),
    chosen('mayCall'),
    chosen('refusals'),
  ];
  const calls = chosenCalls(table, { doNotCall, mayCall, refusals, settled });
  const notTheirs = othersColumnsByName(headers).filter(
    (index) => !settled.includes(index) && holdsNumbers(rows, index) === true,
  );
  return { phones, fields, labels, ...calls, notTheirs, ignored };
}

function phoneColumns(table: Table, ignored: readonly number[]): number[] {
  const { headers, rows } = table;
  const named = inTemplateOrder(table).filter(
    ({ index }) => !ignored.includes(index) && !isOfCalls(table, index),
  );
  const confirmed = named.filter(({ index }) => holdsNumbers(rows, index) === true);
  const rest = named.filter((column) => !confirmed.includes(column));
  const unclear = equalToFirst(confirmed, rows);
  if (unclear.length > 1) throw new AmbiguousPhoneColumns(table, unclear);
  // A column named for numbers that holds something else is dropped where another column holds numbers.
  const empty = rest.filter(({ index }) => holdsNumbers(rows, index) === undefined);
  const order = confirmed.length > 0 ? [...confirmed, ...empty] : rest;
  if (order.length === 0) {
    const few = headers.slice(0, MOST_LOOKED_AT);
    const byContent = few.flatMap((_, index) => (holdsNumbers(rows, index) ? [index] : []));
    throw noPhoneColumn(table, byContent);
  }
  return order.map(({ index }) => index);
}

/** The columns, from the first, that may be proposed where none is named for numbers: 50 µs for each. */
const MOST_LOOKED_AT = 500;

/** Every column that has a phone header and holds numbers, also one of another person, an old one or `DNC Phone`. */
function everyNumber({ headers, rows }: Table): number[] {
  return headers.flatMap((header, index) => {
    const isNamed =
      numberNamed(foldWords(header)) !== undefined || callKind(header) === 'doNotCall';
    return isNamed && holdsNumbers(rows, index) === true ? [index] : [];
  });
}

/** True for a column about calls, such as `Phone OK`, unless it holds numbers. */
function isOfCalls({ headers, rows }: Table, index: number): boolean {
  const kind = callKind(headers[index] ?? '') ?? 'state';
  return !['state', 'bare'].includes(kind) && holdsNumbers(rows, index) !== true;
}

/** The phone columns of a well-known export in the order of its template, then all other phone columns by name. */
function inTemplateOrder({ headers, rows }: Table): PhoneColumn[] {
  const named = phoneColumnsByName(headers);
  const template = (templatePhones(headers) ?? []).filter(
    (index) => named.some((one) => one.index === index) || holdsNumbers(rows, index) === true,
  );
  // Negative ranks sort before those of all other columns; each is different, so the operator need not choose.
  const first = template.map((index, place) => ({ index, rank: place - template.length - 1 }));
  return [...first, ...named.filter(({ index }) => !template.includes(index))];
}

/** The best column, and the columns of the same rank that hold other numbers in the same rows. */
function equalToFirst([first, ...others]: readonly PhoneColumn[], rows: Table['rows']): number[] {
  if (first === undefined) return [];
  const differs = (index: number) =>
    rows.some((row) => {
      const [one = '', other = ''] = [row[first.index], row[index]];
      return one.trim() !== '' && other.trim() !== '' && one.trim() !== other.trim();
    });
  const equal = others.filter(({ rank, index }) => rank === first.rank && differs(index));
  return [first, ...equal].map(({ index }) => index);
}

/** Characters; a longer header is no name of a field, but a sentence. */
const LONGEST_NAME = 200;

/** @param plain the headers as `normalizeHeader` writes them */
function fieldColumn(
  field: ListField,
  plain: readonly string[],
  rows: Table['rows'],
): number | undefined {
  for (const name of FIELD_NAMES[field].split('|')) {
    const index = plain.indexOf(name);
    if (index !== -1 && isConfirmed(field, name, rows, index)) return index;
  }
  return undefined;
}

/** An ambiguous name (`cc`, `land`) counts only where the cells confirm it. */
function isConfirmed(field: ListField, name: string, rows: Table['rows'], index: number): boolean {
  const isOfCountry = field === 'country' && /^(?:cc|land)$/.test(name);
  if (field !== 'email' && !isOfCountry) return true;
  const isSuch = (cell: string) =>
    isOfCountry ? countryNamed(cell) !== undefined : cell.includes('@');
  const cells = rows.map((row) => (row[index] ?? '').trim()).filter((cell) => cell !== '');
  return cells.filter(isSuch).length >= cells.length / 2;
}

/**
 * Exports of well-known programs in which the headers alone would leave two phone columns equally good. `has`: headers
 * that a list must all have to be such an export; `phones`: its phone columns in calling order, the person's own number
 * before that of a delivery address. Headers are written as by `foldWords`.
 *
 * Sources are the columns that these programs document: Shopify (customers and orders, help.shopify.com), VICIdial
 * (standard lead loader fields), WooCommerce (order export), HubSpot (default contact properties), Salesforce (Lead and
 * Contact objects), Pipedrive, Zoho CRM, Google Contacts, Outlook, Mailchimp, Freshsales, GoHighLevel; as of 2026. The
 * first one that fits is taken.
 */
const EXPORT_TEMPLATES: Readonly<Record<string, readonly [has: string, phones: string]>> = {
  'Shopify, customers': [
    'first name|last name|default address phone',
    'phone|default address phone',
  ],
  'Shopify, orders': [
    'billing phone|shipping phone|financial status',
    'phone|billing phone|shipping phone',
  ],
  'an app for exports of Shopify, addresses': [
    'billing address phone|shipping address phone',
    'customer phone|phone|billing address phone|shipping address phone',
  ],
  'VICIdial, leads': ['phone code|phone number|alt phone', 'phone number|alt phone|address3'],
  'WooCommerce, apps for exports of Shopify, and their like': [
    'billing phone|shipping phone',
    'customer phone|phone|billing phone|shipping phone',
  ],
  'WooCommerce, customers': ['billing phone|billing email', 'phone|billing phone|shipping phone'],
  HubSpot: ['record id|phone number', 'mobile phone number|phone number|whatsapp phone number'],
  'Salesforce, leads and contacts by their labels': [
    'lead source|phone|mobile',
    'mobile|phone|business phone|home phone|other phone',
  ],
  'Salesforce, leads and contacts by the names of the API': [
    'mobile phone|lead source|phone',
    'mobile phone|phone|home phone|other phone',
  ],
  Pipedrive: [
    'person name|person phone',
    'person phone mobile|person phone|person phone work|person phone home',
  ],
  'Zoho CRM': [
    'record id|lead owner|phone|mobile',
    'mobile|phone|home phone|secondary phone|other phone',
  ],
  'Zoho CRM, contacts': [
    'contact owner|contact name|phone|mobile',
    'mobile|phone|home phone|other phone',
  ],
  'Google Contacts': [
    'phone 1 value|phone 2 value',
    'phone 1 value|phone 2 value|phone 3 value|phone 4 value|phone 5 value',
  ],
  Outlook: [
    'business phone|home phone|mobile phone|radio phone',
    'mobile phone|primary phone|business phone|business phone 2|home phone|home phone 2|car phone|radio phone|other phone|company main phone',
  ],
  Mailchimp: [
    'email address|leid|euid',
    'phone|phone number|sms phone|sms phone number|mobile|mobile phone',
  ],
  Freshsales: ['mobile|work|other phone numbers', 'mobile|work|other phone numbers'],
  GoHighLevel: ['contact id|phone|additional phones', 'phone|mobile phone|additional phones'],
  'Amazon, orders': [
    'buyer phone number|ship phone number',
    'buyer phone number|ship phone number',
  ],
};

/**
 * The phone columns of a well-known export, in the order in which they are called; undefined for any other list.
 * @param headers all headers of the list
 */
function templatePhones(headers: readonly string[]): number[] | undefined {
  const folded = headers.map(foldWords);
  const indexesOf = (names: string) => names.split('|').map((name) => folded.indexOf(name));
  const fits = Object.values(EXPORT_TEMPLATES).find(([has]) => !indexesOf(has).includes(-1));
  return fits && indexesOf(fits[1]).filter((index) => index !== -1);
}
