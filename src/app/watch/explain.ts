import type { E164 } from '../../domain/phone.ts';
import { usageError } from '../../runtime/errors.ts';
import type { FoundLead, Store } from '../../store/port.ts';
import { counted } from '../../text/wording.ts';
import type { Explained, Person } from '../../views/people.ts';
import { databasePlaces, withStore } from '../places/databases.ts';
import { entryViews } from '../suppression/suppression-store.ts';
import type { World } from '../world.ts';
import { findLeads, type PeopleRequest } from './find-people.ts';
import { personOf, suppressionOf } from './person.ts';

/**
 * Tells the whole story of one person.
 *
 * @returns one for each database that knows them
 */
export async function explainPerson(request: PeopleRequest, world: World): Promise<Explained[]> {
  const { who } = request;
  const { found } = await findLeads(request, world, (_, lead) => lead);
  const phones = firstsOf(
    found.map(({ phone }) => phone),
    who,
  );
  const [phone, ...others] = phones;
  if (phone === undefined || others.length > 0) {
    const some = phones.slice(0, 5).join(', ');
    throw usageError(
      'PERSON_AMBIGUOUS',
      `"${who}" is ${counted(phones.length, 'person', 'people')}: ${some}${phones.length > 5 ? ' ...' : ''}; one is explained at a time.`,
      `\`callsheet explain ${phones[0] ?? 'NUMBER'}\``,
    );
  }
  const alsoOf = [...new Set(found.map((lead) => lead.phone))].filter((own) => own !== phone);
  const stories: Explained[] = [];
  for (const place of databasePlaces(request, world)) {
    await withStore(place, 'read', world, async (store) => {
      const story = { ...(await explainedIn(store, phone, request, world)), alsoOf };
      if (story.campaigns.length > 0) stories.push(story);
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
function nextAt({ next, over }: Person): number {
  if (over || next === null) return Number.MAX_SAFE_INTEGER;
  return (next.at === null ? LATEST : Date.parse(next.at)) + (next.after === null ? 0 : LATEST);
}

/** The last moment that a Date can say, epoch ms. */
const LATEST = 8.64e15;

async function explainedIn(
  store: Store,
  phone: E164,
  { campaign: only, who }: PeopleRequest,
  world: World,
): Promise<Omit<Explained, 'alsoOf'>> {
  const found = (await store.findLeads(phone, MOST_CAMPAIGNS)).filter(
    (lead) => lead.phone === phone && (only === undefined || lead.campaign === only),
  );
  const campaigns: Person[] = [];
  const stored = await store.listCampaigns();
  for (const lead of found) {
    const campaign = stored.find(({ id }) => id === lead.campaignId);
    if (campaign !== undefined) campaigns.push(await personOf({ store, campaign, world }, lead));
  }
  campaigns.sort((a, b) => nextAt(a) - nextAt(b));
  const numbers = [...new Set(found.flatMap((lead) => [lead.phone, ...lead.furtherNumbers]))];
  const { suppression, suppressed } = await suppressionOf(store, numbers, world.clock.now());
  const entry = entryViews(campaigns[0]?.timezone ?? 'UTC');
  return {
    ...{ phone, askedFor: askedFor(who, found), suppressed },
    suppression: suppression.map((record) => ({ ...entry(record), action: record.action })),
    campaigns,
  };
}

/** Which of a person's further numbers somebody has typed, perhaps without its country code. */
function askedFor(who: string, found: readonly FoundLead[]): Explained['askedFor'] {
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
