import { personIn } from '../../domain/lists/person.ts';
import type { E164 } from '../../domain/phone.ts';
import { countryNamed } from '../../leads/phone/countries.ts';
import { hasPlus } from '../../leads/phone/column-styles.ts';
import { parsePhone } from '../../leads/phone/parse-phone.ts';
import { placeOfPerson, type PersonPlace } from '../../leads/zones/place-of-person.ts';
import { usageError } from '../../runtime/errors.ts';
import type {
  Campaign,
  ExportRow,
  FoundLead,
  HeldBack,
  HistoryEntry,
  KeptDelivery,
  List,
  Store,
  SuppressionRecord,
} from '../../store/port.ts';
import { counted } from '../../text/wording.ts';
import { databasePlaces, withStore } from '../places/databases.ts';
import type { World } from '../world.ts';
import { closedTimes, type ClosedTimes } from './closed-times.ts';
import { findPeople, type PeopleRequest } from './find-people.ts';
import { whyNotNow, type Answer } from './why-not-now.ts';

/** How the cell of the list became the number. */
export interface NumberReading {
  column: string;
  cell: string;
  /** What was changed in the cell to read it, in words; null: nothing worth a word. */
  mended: string | null;
}

/** One person in one campaign: what keeps them from being called, and everything that has happened. */
export interface LeadStory {
  campaign: Campaign;
  found: FoundLead;
  list: List | undefined;
  reading: NumberReading | null;
  place: PersonPlace;
  answer: Answer;
  /** False: nobody calls them in this campaign any more, as it is over for them or altogether. */
  isLive: boolean;
  attempts: ExportRow[];
  deliveries: KeptDelivery[];
  holds: HeldBack[];
  /** What was done to this person, and what was decided for the whole campaign. */
  history: HistoryEntry[];
  closed: ClosedTimes[];
}

/** One person over all campaigns of one database. */
export interface PersonStory {
  phone: E164;
  /** The number that was asked for, if it is not their first one, and which it is: 2, 3 ...; null: it is, or a name. */
  askedFor: { phone: E164; ordinal: number } | null;
  /** People who have the number that was asked for as a further one. */
  alsoOf: E164[];
  now: number;
  leads: LeadStory[];
  /** What was done about any of their numbers, oldest first. */
  suppression: SuppressionRecord[];
  /** Those of their numbers that are suppressed now. */
  suppressed: { phone: E164; why: string }[];
}

/**
 * Tells the whole story of one person.
 *
 * @throws AppError `LEAD_UNKNOWN`, `PERSON_AMBIGUOUS` (exit 2)
 */
export async function explainPerson(request: PeopleRequest, world: World): Promise<PersonStory[]> {
  const { people } = await findPeople({ ...request, inFull: false }, world);
  const phones = firstsOf(
    people.map(({ found }) => found.phone),
    request.who,
  );
  const [phone, ...others] = phones;
  if (phone === undefined || others.length > 0) {
    const some = phones.slice(0, 5).join(', ');
    throw usageError(
      'PERSON_AMBIGUOUS',
      `"${request.who}" is ${counted(phones.length, 'person', 'people')}: ${some}${phones.length > 5 ? ' ...' : ''}; one is explained at a time.`,
      `\`callsheet explain ${phones[0] ?? 'NUMBER'}\``,
    );
  }
  const alsoOf = [...new Set(people.map(({ found }) => found.phone))].filter(
    (own) => own !== phone,
  );
  const stories: PersonStory[] = [];
  for (const { path } of databasePlaces(request, world)) {
    await withStore(path, 'read', world, async (store) => {
      const story = { ...(await storyOf(store, phone, request, world)), alsoOf };
      if (story.leads.length > 0) stories.push(story);
    });
  }
  return stories;
}

/** The people that are meant: those who have the number as their first one, if there are any, else all. */
function firstsOf(phones: readonly E164[], who: string): E164[] {
  const digits = digitsIn(who);
  const own = digits === null ? [] : phones.filter((phone) => phone.endsWith(digits));
  return [...new Set(own.length > 0 ? own : phones)];
}

/** Nobody is in more campaigns than this; it bounds one reading. */
const MOST_CAMPAIGNS = 200;

/** Who is called soonest comes first; a campaign that somebody has to let go on comes later. */
function nextAt({ answer: { next }, isLive }: LeadStory): number {
  if (!isLive || next === undefined) return Number.MAX_SAFE_INTEGER;
  return (next.at ?? LATEST) + (next.after === null ? 0 : LATEST);
}

/** The last moment that a Date can say, epoch ms. */
const LATEST = 8.64e15;

async function storyOf(
  store: Store,
  phone: E164,
  { campaign: only, who }: PeopleRequest,
  world: World,
): Promise<Omit<PersonStory, 'alsoOf'>> {
  const now = world.clock.now();
  const campaigns = await store.listCampaigns();
  const found = (await store.findLeads(phone, MOST_CAMPAIGNS)).filter(
    (lead) => lead.phone === phone && (only === undefined || lead.campaign === only),
  );
  const leads: LeadStory[] = [];
  for (const lead of found) {
    const campaign = campaigns.find(({ id }) => id === lead.campaignId);
    if (campaign !== undefined) leads.push(await leadStory(store, campaign, lead, world));
  }
  leads.sort((a, b) => nextAt(a) - nextAt(b));
  const numbers = [...new Set(found.flatMap((lead) => [lead.phone, ...lead.furtherNumbers]))];
  const suppressions = await suppressionOf(store, numbers, now);
  return { phone, askedFor: askedFor(who, found), now, leads, ...suppressions };
}

/** What was done about these numbers of a person, and which of them are suppressed at `now`. */
export async function suppressionOf(
  store: Store,
  numbers: readonly E164[],
  now: number,
): Promise<Pick<PersonStory, 'suppression' | 'suppressed'>> {
  const facts = await store.lookUpPhones({ campaignId: null, phones: numbers, now });
  const records = await Promise.all(numbers.map((number) => store.suppressionHistory(number)));
  return {
    suppression: records.flat().toSorted((a, b) => a.at - b.at),
    suppressed: numbers.flatMap((number, i) => {
      const why = facts[i]?.suppressed ?? null;
      return why === null ? [] : [{ phone: number, why }];
    }),
  };
}

/** Which of a person's further numbers somebody has typed, perhaps without its country code. */
function askedFor(who: string, found: readonly FoundLead[]): PersonStory['askedFor'] {
  const digits = digitsIn(who);
  for (const { phone, furtherNumbers } of found) {
    if (digits === null || phone.endsWith(digits)) continue;
    const index = furtherNumbers.findIndex((further) => further.endsWith(digits));
    const further = furtherNumbers[index];
    if (further !== undefined) return { phone: further, ordinal: index + 2 };
  }
  return null;
}

/** What `findLeads` takes for a number, or the end of one; null: it is none. */
function digitsIn(who: string): string | null {
  const digits = /^[+\d\s()./-]+$/.test(who.trim()) ? who.replaceAll(/\D/g, '') : '';
  return digits.length < 7 ? null : digits.replace(/^0+/, '');
}

/** One person in one campaign. */
export async function leadStory(
  store: Store,
  campaign: Campaign,
  found: FoundLead,
  world: World,
): Promise<LeadStory> {
  const { id } = campaign;
  const { phone, cells } = found;
  const now = world.clock.now();
  const list = (await store.lists(id)).find(({ number }) => number === found.list);
  const { timezone, postalCode, state, country } = personIn(list?.mapping ?? { fields: {} }, cells);
  const attempts = await store.attemptsOf(id, phone);
  const ids = attempts.flatMap(({ attempt }) => (attempt === null ? [] : [attempt.id]));
  const history = (await store.history(id)).filter((entry) => concerns(entry, phone));
  const answer = await whyNotNow({ store, campaign, world }, found);
  // Who was withdrawn without a call waited until then.
  const ended = history.findLast(({ detail }) => detail['phone'] === phone)?.at;
  return {
    campaign,
    found,
    list,
    reading: readingOf(campaign, list, found),
    place: placeOfPerson({ phone, timezone, postalCode, state, country }),
    answer,
    isLive: found.state === 'calling' || answer.next !== undefined,
    attempts,
    deliveries: await store.deliveriesOf(ids.slice(0, 1_000)),
    holds: await store.holdsOf(id, phone),
    history,
    closed: closedTimes(campaign, found, {
      from: list?.finishedAt ?? now,
      until: found.state === 'done' ? (ended ?? -Infinity) : now,
      attempts,
      history,
    }),
  };
}

/** Entries about this person, and those about the campaign as a whole. */
function concerns({ what, detail }: HistoryEntry, phone: E164): boolean {
  return (
    detail['phone'] === phone || (detail['phone'] === undefined && what.startsWith('campaign.'))
  );
}

/** Finds the cell that was read as this number, by reading the cells again. */
function readingOf(
  { settings }: Campaign,
  list: List | undefined,
  { phone, cells }: FoundLead,
): NumberReading | null {
  const { phones = [], fields = {} } = list?.mapping ?? {};
  const said = (cells[fields.country ?? -1] ?? '').trim();
  const country = countryNamed(said === '' ? (settings.country ?? '') : said) ?? null;
  for (const column of phones) {
    const cell = cells[column] ?? '';
    // The country only matters for numbers without `+`: the import has taken this one as it is written.
    const parsed = parsePhone(cell, hasPlus(cell) ? null : country, settings.numbers);
    if (parsed.ok && parsed.phone === phone) {
      return { column: list?.headers[column] ?? '', cell, mended: parsed.mended };
    }
  }
  return null;
}
