import { placeOf, zoneKey } from '../../domain/calling/zone-key.ts';
import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { personIn, type PersonKey } from '../../domain/lists/person.ts';
import type { E164 } from '../../domain/phone.ts';
import type { Campaign, LeadPlace, LeadWithoutPlace, Store } from '../../store/port.ts';
import { foldWords, oneForm, remembered } from '../../text/fold-words.ts';
import { counted } from '../../text/wording.ts';
import type { RowShape } from '../columns/row-shape.ts';
import { quoted, type PhoneRefusalCode, type RefusalOf } from '../phone/phone-refusal.ts';
import { numberPlace } from '../zones/number-zones.ts';
import { placeOfPerson, zoneMeant } from '../zones/place-of-person.ts';

/** What lists write instead of an unknown id or address. */
const NOTHING =
  /^(?:[0\W_]*|-1|9{4,}|n ?\/? ?a|#n\/a|nan|none|no|yes|true|false|null|nil|void|undefined|unknown|unbekannt|keine?|k\. ?a\.|ninguno|aucun|nessuno|brak|tbd|tba|test|dummy|example|sample|x+)$/iu;

/**
 * Mailboxes of a business or a function (RFC 2142, and the usual ones of web sites), never of one person.
 * https://www.rfc-editor.org/rfc/rfc2142
 */
const ROLES = new Set(
  `info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp
   admin administrator office contact contacts kontakt contacto contatto hello hi mail email post team service
   services help helpdesk billing accounts accounting invoice invoices rechnung hr jobs careers press reception
   enquiries inquiries orders order bestellung shop store buero büro praxis kanzlei verwaltung sekretariat secretary
   noreply no-reply donotreply do-not-reply nomail noemail no-email customer customers kunde client clients`.split(
    /\s+/,
  ),
);

/** The returned function finds who a row is about, by its id or e-mail address, and its name. */
export function rowPersons(
  mapping: Pick<ListMapping, 'fields'>,
): (cells: readonly string[]) => PersonKey | undefined {
  const { externalId, email } = mapping.fields;
  if (externalId === undefined && email === undefined) return () => undefined;
  return (cells) => {
    const idCell = externalId === undefined ? '' : (cells[externalId] ?? '').trim();
    const mailCell = email === undefined ? '' : (cells[email] ?? '').trim();
    const key = idKey(idCell) ?? mailKey(mailCell);
    if (key === undefined) return undefined;
    const words = foldWords(personIn(mapping, cells).fullName ?? '').split(/[^\p{L}\p{M}\p{N}]+/u);
    // One letter is an initial, which many have.
    return { key, name: words.filter((word) => word.length > 1).join(' ') };
  };
}

function idKey(cell: string): string | undefined {
  if (cell === '') return undefined;
  // Spreadsheets make 7.0 of an id 7.
  const id = oneForm(cell).replace(/^(\d+)\.0+$/, '$1');
  return NOTHING.test(id) ? undefined : `id ${id.toLowerCase()}`;
}

/** Longer than any address (254 characters, RFC 5321) with the name of its owner. */
const LONGEST_MAIL = 1_000;

function mailKey(cell: string): string | undefined {
  if (cell === '' || cell.length > LONGEST_MAIL) return undefined;
  const found = /(?<![^\s<>@;,:"])([^\s<>@;,:"]+)@([^\s<>@;,:"]+\.[^\s<>@;,:"]+)/.exec(
    oneForm(cell).toLowerCase(),
  );
  const [address, local = '', domain = ''] = found ?? [];
  if (address === undefined || NOTHING.test(local) || ROLES.has(local)) return undefined;
  return /^(?:none|test|example|na|no|email|invalid)\./.test(domain)
    ? undefined
    : `mail ${address}`;
}

export interface RowPlace {
  /** See `zoneKey` of domain/calling. */
  zoneKey: string;
  /** True when the list and the number disagree about the time zone. */
  zonesDisagree: boolean;
}

/** The place, and a refusal where the cell of the time-zone column is not understood, so that nothing is guessed. */
interface JudgedPlace {
  place: RowPlace;
  refusal?: Refusal;
}

/** Bounds the memory for places of lists whose cells differ in every row. */
const MOST_REMEMBERED = 20_000;

/** Unknown time zones that are told a name like it (up to 3 ms): a column with more of them has no zones. */
const MOST_SUGGESTED = 30;

/**
 * The returned function tells where a person is, by the number and the cells of the row. It remembers a place for all
 * numbers of the same zones, states and country with the same cells: otherwise an import of 200,000 rows takes 6.5 s
 * instead of 3.5 s.
 */
export function rowPlaces({
  fields,
}: Pick<ListMapping, 'fields'>): (phone: E164, cells: readonly string[]) => JudgedPlace {
  const { timezone, postalCode, state, country } = fields;
  const columns = [timezone, postalCode, state, country].filter((column) => column !== undefined);
  // Keyed by the array of zones itself: the tables have one for all numbers of a kind.
  let known = new WeakMap<readonly string[], Map<string, JudgedPlace>>();
  let places = 0;
  let suggested = 0;

  const suggest = remembered((zone) =>
    suggested++ < MOST_SUGGESTED ? zoneMeant(zone) : undefined,
  );
  return (phone, cells) => {
    const number = numberPlace(phone);
    let key = `${number.country ?? ''}\0${number.regions.join()}`;
    for (const column of columns) key += `\0${cells[column] ?? ''}`;
    const found = known.get(number.zones)?.get(key);
    if (found !== undefined) return found;
    const judged = judge(phone, cells, fields, suggest);
    if (places >= MOST_REMEMBERED) [known, places] = [new WeakMap(), 0];
    const alike = known.get(number.zones) ?? new Map<string, JudgedPlace>();
    known.set(number.zones, alike.set(key, judged));
    places += 1;
    return judged;
  };
}

function judge(
  phone: E164,
  cells: readonly string[],
  { timezone, postalCode, state, country }: ListMapping['fields'],
  suggest: (zone: string) => string | undefined,
): JudgedPlace {
  const cell = (column: number | undefined) => (column === undefined ? undefined : cells[column]);
  const {
    zoneKey,
    disagree,
    unknownTimezone: unknown,
  } = placeOfPerson({
    phone,
    timezone: cell(timezone),
    postalCode: cell(postalCode),
    state: cell(state),
    country: cell(country),
  });
  const place = { zoneKey, zonesDisagree: disagree };
  return unknown === undefined
    ? { place }
    : { place, refusal: rowRefusal('unknown_timezone', unknown, suggest(unknown)) };
}

/** Why a row is not taken. The keys must stay stable: refusals are counted by these names, also in `--json`. */
const TEXTS = {
  duplicate_in_list: (phone: string, firstLine: number) =>
    `duplicate of line ${firstLine} (${phone})`,
  already_in_campaign: (phone: string, line: number, list: string) =>
    `${phone} is in the campaign already (line ${line} of ${list})`,
  do_not_call: (phone: string, header: string, cell: string) =>
    `${phone} asked not to be called ("${header}": ${quoted(cell)})`,
  /** `header` and `cell` of the column that says whether the person may be called. */
  unclear_consent: (phone: string, header: string, cell: string) =>
    `${phone} is not called, as "${header}" does not say that it may be (${quoted(cell)}); write yes or no there, or leave the column out of it with --map ignore="${header}"`,
  /** A refusal in a column without a meaning, or one that may be no refusal: `Do not call before 10am`. */
  unclear_refusal: (phone: string, header: string, cell: string) =>
    `${phone} is not called, as "${header}" (${quoted(cell)}) may say so; write "do not call" there or empty the cell, or give --map refusals="${header}" or --map ignore="${header}"`,
  /** `label`: the content of the label column beside the number, e.g. `Home Fax`. */
  not_their_number: (cell: string, label: string) =>
    `${quoted(cell)} has the label ${quoted(label)}, and such numbers are not called; give the person's own number`,
  /** The cell says that nobody calls this person, and not that they refuse calls: `Deceased`, `Wrong number`. */
  out_of_use: (phone: string, header: string, cell: string) =>
    `${phone} is not called by this campaign ("${header}": ${quoted(cell)}); it is not on the suppression list`,
  /** The day of a consent is over, or it was given too long ago for the rules; `why`: as in `consentEnd`. */
  consent_expired: (phone: string, header: string, cell: string, why = 'has ended') =>
    `${phone} is not called, as its consent ${why} ("${header}": ${quoted(cell)}); write the new day there`,
  shifted_row: shiftedRow,
  short_row: shortRow,
  damaged_text: (cell: string) => `${quoted(cell)} cannot be read as UTF-8; write it anew there`,
  /** The cell of the time-zone column; `nearest`: the known name that is most like it, where one is. */
  unknown_timezone: (cell: string, nearest: string | undefined) =>
    `time zone ${quoted(cell)} is not known; ${nearest === undefined ? 'write' : `did you mean "${nearest}"? Write`} ${TIMEZONES}`,
  /** `why`: source and date, e.g. `by the operator on 2026-01-05`. */
  suppressed: (phone: string, why: string) => `${phone} is on the suppression list (${why})`,
};

const TIMEZONES =
  'an IANA name (America/New_York), a usual one (Eastern, EST, CET), an offset (+05:30), or leave the cell empty';

export type RefusalCode = PhoneRefusalCode | keyof typeof TEXTS;
export type Refusal = RefusalOf<RefusalCode>;

export function rowRefusal<C extends keyof typeof TEXTS>(
  code: C,
  ...values: Parameters<(typeof TEXTS)[C]>
): Refusal {
  const write = TEXTS[code] as (...values: unknown[]) => string;
  return { code, text: write(...values) };
}

/** @param cells how many cells the row has */
function shiftedRow(cells: number, shape: RowShape): string {
  const { delimiter } = shape;
  const sign = DELIMITERS[delimiter ?? ''] ?? `a "${delimiter ?? ''}"`;
  const why =
    delimiter === null
      ? 'they have moved to the right, or a column has no heading; move them back, or give it one'
      : cells < shape.columns
        ? `${sign} is missing, which has moved the cells after it; put it back`
        : `${sign} too many has moved the cells after it; put the cell that holds one in quotes`;
  const or = delimiter !== null && shape.hasHeadings && cells > shape.columns ? OR_HEADING : '';
  return `the row has ${widths(cells, shape)}: ${why}${or}`;
}

const OR_HEADING = ', or give each column a heading';

/** @param cells how many cells the row has, @param missing the needed columns that the row lacks */
function shortRow(
  cells: number,
  shape: RowShape,
  missing: readonly number[],
  headers: readonly string[],
): string {
  const names = missing.slice(0, 3).map((column) => `"${headers[column] ?? ''}"`);
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
  const are = missing.length === 1 ? 'is' : 'are';
  return `the row has ${widths(cells, shape)}: ${names.join(', ')}${more} ${are} missing; fill in all cells, with nothing between the delimiters where one is empty`;
}

function widths(cells: number, { columns, hasHeadings }: RowShape): string {
  const has = counted(cells, 'cell');
  if (!hasHeadings) return `${has}, and most have ${columns}`;
  return `${has}, and there ${columns === 1 ? 'is 1 heading' : `are ${columns} headings`}`;
}

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'a comma',
  ';': 'a semicolon',
  '\t': 'a tab',
  '|': 'a |',
};

const AT_ONCE = 1_000;

/**
 * Finds the place of waiting leads that were stored without one: by an older version, or from the journal. Runs before
 * a campaign with calling hours is dialled, as a person without a place is never called.
 */
export async function fillPlaces(
  store: Pick<Store, 'leadsWithoutPlace' | 'keepPlaces'>,
  { id, settings }: Pick<Campaign, 'id' | 'settings'>,
): Promise<void> {
  if (settings.policy === undefined) return;
  for (;;) {
    const leads = await store.leadsWithoutPlace(id, AT_ONCE);
    if (leads.length > 0) await store.keepPlaces(id, placesOf(leads));
    if (leads.length < AT_ONCE) return;
  }
}

/** One function for each list, as it remembers what it has worked out. */
function placesOf(leads: readonly LeadWithoutPlace[]): LeadPlace[] {
  const judges = new Map<LeadWithoutPlace['mapping'], ReturnType<typeof rowPlaces>>();
  return leads.map((lead) => {
    const placeAt = judges.get(lead.mapping) ?? rowPlaces(lead.mapping ?? { fields: {} });
    judges.set(lead.mapping, placeAt);
    return placeOfLead(lead, placeAt);
  });
}

function placeOfLead(
  { phone, cells }: LeadWithoutPlace,
  placeAt: ReturnType<typeof rowPlaces>,
): LeadPlace {
  const { place, refusal } = placeAt(phone, cells);
  const { zoneKey: key, zonesDisagree: disagree } = place;
  if (refusal === undefined) return { phone, zoneKey: key, disagree };
  // The row would be rejected today: what its list says of the clock is not understood, so no clock is assumed.
  return { phone, zoneKey: zoneKey({ ...placeOf(key), zones: [] }), disagree: false };
}
