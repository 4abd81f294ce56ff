import type { Hold } from '../../domain/calling/policy.ts';
import { personIn } from '../../domain/lists/person.ts';
import type { E164 } from '../../domain/phone.ts';
import { countryNamed } from '../../leads/phone/countries.ts';
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
  NextCall,
  Store,
  SuppressionRecord,
} from '../../store/port.ts';
import { counted } from '../../text/plural.ts';
import { databasePlaces, withStore } from '../places/databases.ts';
import type { World } from '../world.ts';
import { closedTimes, type ClosedTimes } from './closed-times.ts';
import { findPeople, type PeopleRequest } from './find-people.ts';
import { whyNotNow } from './why-not-now.ts';

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
  /** What a claim would say of them; undefined: they do not wait. */
  next: NextCall | undefined;
  /** Clauses on why they are not called now, the first decides; empty: nothing keeps them. */
  why: string[];
  attempts: ExportRow[];
  deliveries: KeptDelivery[];
  holds: HeldBack[];
  /** What was done to this person, and what was decided for the whole campaign. */
  history: HistoryEntry[];
  closed: ClosedTimes | null;
}

/** One person over all campaigns of one database. */
export interface PersonStory {
  phone: E164;
  now: number;
  leads: LeadStory[];
  suppression: SuppressionRecord[];
  /** What suppresses the number now; null: nothing. */
  suppressedBy: Hold | null;
}

/**
 * Tells the whole story of one person.
 *
 * @throws AppError `LEAD_UNKNOWN`, `PERSON_AMBIGUOUS` (exit 2)
 */
export async function explainPerson(request: PeopleRequest, world: World): Promise<PersonStory[]> {
  const { people } = await findPeople({ ...request, inFull: false }, world);
  const phones = [...new Set(people.map(({ found }) => found.phone))];
  const [phone, ...others] = phones;
  if (phone === undefined || others.length > 0) {
    const some = phones.slice(0, 5).join(', ');
    throw usageError(
      'PERSON_AMBIGUOUS',
      `"${request.who}" is ${counted(phones.length, 'person', 'people')}: ${some}${phones.length > 5 ? ' ...' : ''}; one is explained at a time.`,
      `callsheet explain ${some.split(',')[0] ?? 'NUMBER'}`,
    );
  }
  const stories: PersonStory[] = [];
  for (const { path } of databasePlaces(request, world)) {
    await withStore(path, 'read', world, async (store) => {
      const story = await storyOf(store, phone, request, world);
      if (story.leads.length > 0) stories.push(story);
    });
  }
  return stories;
}

/** Nobody is in more campaigns than this; it bounds one reading. */
const MOST_CAMPAIGNS = 200;

async function storyOf(
  store: Store,
  phone: E164,
  { campaign: only }: PeopleRequest,
  world: World,
): Promise<PersonStory> {
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
  const [facts] = await store.lookUpPhones({ campaignId: null, phones: [phone], now });
  const suppressed = facts?.suppressed ?? null;
  return {
    phone,
    now,
    leads,
    suppression: await store.suppressionHistory(phone),
    suppressedBy: suppressed === null ? null : { until: null, by: 'suppression', why: suppressed },
  };
}

async function leadStory(
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
  const next = await store.nextCall(id, phone, now);
  const history = (await store.history(id)).filter((entry) => concerns(entry, phone));
  return {
    campaign,
    found,
    list,
    reading: readingOf(campaign, list, found),
    place: placeOfPerson({ phone, timezone, postalCode, state, country }),
    next,
    why: await whyNotNow({ store, campaign, world }, found, next),
    attempts,
    deliveries: await store.deliveriesOf(ids.slice(0, 1_000)),
    holds: await store.holdsOf(id, phone),
    history,
    closed: closedTimes(campaign, found, { from: list?.finishedAt ?? now, attempts, now, history }),
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
    const parsed = parsePhone(cell, country, settings.numbers);
    if (parsed.ok && parsed.phone === phone) {
      return { column: list?.headers[column] ?? '', cell, mended: parsed.mended };
    }
  }
  return null;
}
