import type { z } from 'zod';

import { invalidFlag } from '../../config/campaign-file.ts';
import { LEAD_RESULTS, LEAD_STATES } from '../../domain/lead.ts';
import type { E164 } from '../../domain/phone.ts';
import { requireCountry } from '../../leads/phone/countries.ts';
import { parsePhone } from '../../leads/phone/parse-phone.ts';
import { nameIn, ownColumns } from '../../results/columns.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type {
  Campaign,
  List,
  PeoplePage,
  PeopleQuery,
  PersonRow,
  Store,
} from '../../store/port.ts';
import { timesIn } from '../../text/times.ts';
import type { Filters, People, peopleFilter, peopleQuery } from '../../views/people.ts';
import { requireSearchable, type Identity } from '../access/identity.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import type { World } from '../world.ts';

const LONGEST_TEXT = 200;

/** Who is shown, as a person or an address has it. */
export interface PeopleChoice extends z.infer<typeof peopleQuery> {
  /** On whose behalf: who sees masked numbers finds a number only by all of it. */
  reader: Pick<Identity, 'who' | 'transcripts'>;
}

/** Who is meant by what is done with many. */
export type Among = z.infer<typeof peopleFilter> & Pick<PeopleChoice, 'reader'>;

function readPeopleQuery(choice: PeopleChoice, campaignId: string): PeopleQuery {
  const { list, zone, sentiment, text, after, limit } = choice;
  if (text !== undefined && text.length > LONGEST_TEXT)
    throw invalidFlag(
      `text has ${text.length} characters; at most ${LONGEST_TEXT} are looked for.`,
    );
  return {
    campaignId,
    list,
    state: oneOf('state', choice.state, LEAD_STATES),
    result: oneOf('result', choice.result, LEAD_RESULTS),
    zone: zone === '' ? undefined : zone,
    sentiment: sentiment === '' ? undefined : sentiment,
    text,
    isWhole: !choice.reader.transcripts,
    after: after === undefined ? null : readCursor(after),
    limit,
  };
}

/** The number that a text is in the campaign's country; undefined: it is something else, or has its `+` already. */
function numberTyped(
  text: string | undefined,
  { settings: { country } }: Campaign,
): E164 | undefined {
  if (text === undefined || !/^[\d\s()./-]+$/.test(text)) return undefined;
  const parsed = parsePhone(text, country === null ? null : requireCountry(country));
  return parsed.ok ? parsed.phone : undefined;
}

function readCursor(text: string) {
  const [, list, line] = /^(\d{1,5}):(\d{1,10})$/.exec(text) ?? [];
  if (list !== undefined && line !== undefined) return { list: Number(list), line: Number(line) };
  throw invalidFlag(`after is "${text}"; it takes a cursor of a page, such as 1:250.`);
}

/** An empty text is no choice. */
function oneOf<Word extends string>(
  name: string,
  value: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (value === undefined || value === '') return undefined;
  const known = words.find((word) => word === value);
  if (known !== undefined) return known;
  throw invalidFlag(`${name} is "${value}"; it takes ${words.join(', ')}.`);
}

/**
 * A page of a campaign's people; it has fewer than asked for only at the end of the list. Where counts do not say who matches, many leads are read, a part at a time, so that
 * others are answered meanwhile.
 */
export async function peopleTable(
  request: CampaignRequest & PeopleChoice,
  world: World,
): Promise<People> {
  requireSearchable(request.reader, request.text ?? '');
  return withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    const query = await knownNumber(readPeopleQuery(request, campaign.id), open);
    const { rows, total, next } = await fullPage(query, store, world);
    // Read afterwards, so that they have every list that the rows come from.
    const lists = await store.lists(campaign.id);
    const own = ownColumns(lists);
    const byNumber = new Map(lists.map((list) => [list.number, list]));
    const time = timesIn(campaign.settings.timezone);
    return {
      items: rows.map((row) => {
        const { list, line, phone, state, result, reason, attempts, zoneKey, notBefore } = row;
        const { sentiment, durationSeconds, lastAttemptAt, lastResult } = row;
        return {
          ...{ id: `${list}-${line}`, phone, list, line, state, result, reason, attempts },
          ...{ sentiment, durationSeconds, lastResult, lastAttemptAt: time(lastAttemptAt) },
          name: nameIn(byNumber.get(list), row.cells),
          cells: own.cellsOf(row),
          zones: [...placeOf(zoneKey).zones],
          nextAttemptAt: time(state === 'waiting' && notBefore > 0 ? notBefore : null),
        };
      }),
      ...{ total, next: next === null ? null : `${next.list}:${next.line}` },
      columns: own.headers,
    };
  });
}

/** What the people of a campaign can be chosen by, and how many each choice has; also lists that gave nobody. */
export function campaignFilters(request: CampaignRequest, world: World): Promise<Filters> {
  return withCampaign(request, world, 'read', async ({ store, campaign }) => {
    const { byList, byState, byResult, total } = await store.peopleCounts(campaign.id);
    const lists = (await store.lists(campaign.id)).map(({ number, path }) => {
      const people = byList.find(({ list }) => list === number)?.people ?? 0;
      return { number, path, people };
    });
    return {
      ...{ total, lists },
      states: LEAD_STATES.map((state) => ({ state, people: byState[state] })),
      results: LEAD_RESULTS.flatMap((result) => {
        const people = byResult[result];
        return people === undefined ? [] : [{ result, people }];
      }),
      zones: (await store.zonesOf(campaign.id)).map(({ zoneKey, people }) => {
        return { key: zoneKey, zones: [...placeOf(zoneKey).zones], people };
      }),
    };
  });
}

/** The query for the number that was typed, if somebody has it; else the text is looked for as it is. */
async function knownNumber(query: PeopleQuery, { store, campaign }: OpenCampaign) {
  const number = numberTyped(query.text, campaign);
  if (number === undefined) return query;
  const asked = { campaignId: campaign.id, text: number, after: null, limit: 1 };
  const { total } = await store.people(asked);
  return total === 0 ? query : { ...query, text: number };
}

/** All who match, up to 200 at a time. */
export async function* everybody(choice: Among, open: OpenCampaign): AsyncGenerator<PersonRow[]> {
  requireSearchable(choice.reader, choice.text ?? '');
  const query = await knownNumber(
    readPeopleQuery({ ...choice, limit: 200 }, open.campaign.id),
    open,
  );
  const chosen = choice.people && new Set(choice.people.split(','));
  const isChosen = ({ list, line }: PersonRow) => !chosen || chosen.has(`${list}-${line}`);
  let after: PeoplePage['next'] = null;
  do {
    const page: PeoplePage = await open.store.people({ ...query, after });
    yield page.rows.filter(isChosen);
    await open.world.clock.sleep(0);
    open.world.underway?.signal.throwIfAborted();
    after = page.next;
  } while (after !== null);
}

async function fullPage(query: PeopleQuery, store: Store, { clock }: World): Promise<PeoplePage> {
  const { limit } = query;
  const page = await store.people(query);
  while (page.next !== null && page.rows.length < limit) {
    await clock.sleep(0);
    const rest = { after: page.next, limit: limit - page.rows.length };
    const { rows, next } = await store.people({ ...query, ...rest });
    page.rows.push(...rows);
    page.next = next;
  }
  return page;
}

/** Finds the name of who has a number, of one campaign or of the newest that has it; null: no list names them. */
export function nameFinder(store: Pick<Store, 'findLeads' | 'lists'>) {
  const known = new Map<string, List[]>();
  return async (phone: E164 | null, campaign: string | null = null): Promise<string | null> => {
    const leads = phone === null ? [] : await store.findLeads(phone, 20, undefined, true);
    const lead = leads.find((one) => campaign === null || one.campaign === campaign);
    if (lead === undefined) return null;
    const lists = known.get(lead.campaignId) ?? (await store.lists(lead.campaignId));
    known.set(lead.campaignId, lists);
    const list = lists.find(({ number }) => number === lead.list);
    return nameIn(list, lead.cells);
  };
}
