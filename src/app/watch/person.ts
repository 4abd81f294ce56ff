import { placeOf } from '../../domain/calling/zone-key.ts';
import { personIn } from '../../domain/lists/person.ts';
import type { E164 } from '../../domain/phone.ts';
import { hasPlus } from '../../leads/phone/column-styles.ts';
import { countryNamed } from '../../leads/phone/countries.ts';
import { parsePhone } from '../../leads/phone/parse-phone.ts';
import { placeOfPerson } from '../../leads/zones/place-of-person.ts';
import { nameIn } from '../../results/columns.ts';
import type { Campaign, FoundLead, HistoryEntry, List, Store } from '../../store/port.ts';
import { timesIn } from '../../text/times.ts';
import type { Person } from '../../views/people.ts';
import { whyNotRetried } from '../campaigns/chosen-people.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { nextText, storyEvents, type LeadStory } from '../sentences/story-events.ts';
import { deliveryViews } from '../webhooks/inbox.ts';
import { callViews } from './calls.ts';
import { historyView } from './campaigns.ts';
import { closedTimes } from './closed-times.ts';
import { whyNotNow, type Answer } from './why-not-now.ts';

export async function personOf(open: OpenCampaign, found: FoundLead): Promise<Person> {
  const story = await leadStory(open, found);
  const { campaign, list, number, place, answer, attempts, history, suppressed } = story;
  const { phone, furtherNumbers, zoneKey, cells, state, result, reason } = found;
  const { timezone } = campaign.settings;
  const { zones, regions } = placeOf(zoneKey);
  const time = timesIn(timezone);
  const name = nameIn(list, cells);
  const delivery = deliveryViews(timezone);
  const call = callViews(timezone);
  const notRetried = state === 'done' ? await whyNotRetried(open, found) : null;
  const own = history.filter(({ detail }) => detail['phone'] === phone);
  return {
    ...{ id: `${found.list}-${found.line}`, campaign: campaign.name, timezone },
    ...{ simulated: campaign.simulated, phone, name, furtherNumbers },
    ...{ list: found.list, listPath: list?.path ?? null, line: found.line, number },
    cells: cells.map((value, i) => ({ column: list?.headers[i] ?? '', value })),
    ...{ state, result, reason, attempts: found.attempts },
    ...{ zones: [...zones], regions: [...regions], zonesDisagree: place.disagree },
    zoneEvidence: place.evidence.map(({ source, text, ...one }) => {
      return { source, text, zones: [...one.zones], regions: [...one.regions] };
    }),
    suppressed,
    why: answer.why,
    next: nextOf(answer, zoneKey, campaign),
    over: state !== 'calling' && answer.next === undefined,
    story: storyEvents(story).map(({ at, text }) => ({ at: time(at), text })),
    calls: attempts.flatMap((row) => call(row) ?? []),
    deliveries: story.deliveries.map((kept) => delivery(kept, name)),
    holds: story.holds.map(({ at, by, why, until }) => {
      return { at: time(at), by, why, until: time(until) };
    }),
    closed: story.closed.map(({ first, last, changedAt, ...closed }) => ({
      ...closed,
      first: { from: time(first.from), until: time(first.until) },
      last: { from: time(last.from), until: time(last.until) },
      changedAt: time(changedAt),
    })),
    history: history.map((entry) => historyView(entry, timezone)),
    notRetried,
    can: {
      cancel: state === 'waiting',
      undoCancel: result === 'cancelled' && own.at(-1)?.what === 'lead.cancelled',
      suppress: suppressed.length < 1 + furtherNumbers.length,
      retry: state === 'done' && notRetried === null,
    },
  };
}

function nextOf(
  { why, next }: Answer,
  zoneKey: string,
  { name, settings: { timezone } }: Campaign,
): Person['next'] {
  if (next === undefined) return null;
  const { at, by, after, holds } = next;
  const time = timesIn(timezone);
  return {
    ...{ at: time(at), by, after },
    holds: holds.map((hold) => ({ ...hold, until: time(hold.until) })),
    text: nextText(next, { isHeld: why.length > 0, zoneKey, timezone, campaign: name }),
  };
}

async function leadStory(open: OpenCampaign, found: FoundLead): Promise<LeadStory> {
  const { store, campaign, world } = open;
  const { id } = campaign;
  const { phone, furtherNumbers, cells } = found;
  const now = world.clock.now();
  const list = (await store.lists(id)).find(({ number }) => number === found.list);
  const { timezone, postalCode, state, country } = personIn(list?.mapping ?? { fields: {} }, cells);
  const attempts = await store.attemptsOf(id, phone);
  const ids = attempts.flatMap(({ attempt }) => (attempt === null ? [] : [attempt.id]));
  const history = (await store.history(id)).filter((entry) => concerns(entry, phone));
  // Who was withdrawn without a call waited until then.
  const ended = history.findLast(({ detail }) => detail['phone'] === phone)?.at;
  return {
    campaign,
    found,
    list,
    number: numberIn(campaign, list, found),
    place: placeOfPerson({ phone, timezone, postalCode, state, country }),
    answer: await whyNotNow(open, found),
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
    ...(await suppressionOf(store, [phone, ...furtherNumbers], now)),
  };
}

/** What was done about these numbers of a person, and which of them are suppressed at `now`. */
export async function suppressionOf(
  store: Store,
  numbers: readonly E164[],
  now: number,
): Promise<Pick<LeadStory, 'suppression' | 'suppressed'>> {
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

/** Entries about this person, and those about the campaign as a whole. */
function concerns({ what, detail }: HistoryEntry, phone: E164): boolean {
  return (
    detail['phone'] === phone || (detail['phone'] === undefined && what.startsWith('campaign.'))
  );
}

/** Finds the cell that was read as this number, by reading the cells again. */
function numberIn(
  { settings }: Campaign,
  list: List | undefined,
  { phone, cells }: FoundLead,
): Person['number'] {
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
