import type {
  Campaign,
  List,
  PeopleCounts,
  PeoplePage,
  PeopleQuery,
  PersonRow,
  Store,
} from '../../store/port.ts';
import { ownColumns } from '../../results/list-columns.ts';
import { nameIn } from '../../results/person-name.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import type { World } from '../world.ts';
import { numberTyped, readPeopleQuery, type PeopleChoice } from './people-query.ts';

/** A page of people as a table: it has fewer than asked for only at the end of the list. */
export interface PeopleTable {
  rows: (PersonRow & { name: string | null })[];
  /** Those of all lists of the campaign together; cells are in their order, whichever list they come from. */
  columns: string[];
  /** How many match; null: not known without reading them all. */
  total: number | null;
  /** Null: nobody follows. */
  next: string | null;
}

/**
 * A page of a campaign's people. Where counts do not say who matches, many leads are read, a part at a time, so that
 * others are answered meanwhile.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN`, `FLAG_INVALID` (exit 2)
 */
export function peopleTable(
  request: CampaignRequest & PeopleChoice,
  world: World,
): Promise<PeopleTable> {
  return withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    const query = await knownNumber(readPeopleQuery(request, campaign.id), open);
    const { rows, total, next } = await fullPage(query, store, world);
    // Read afterwards, so that they have every list that the rows come from.
    const lists = await store.lists(campaign.id);
    const own = ownColumns(lists);
    const byNumber = new Map(lists.map((list) => [list.number, list]));
    return {
      ...{ total, next: next === null ? null : `${next.list}:${next.line}` },
      columns: own.headers,
      rows: rows.map((row) => ({
        ...row,
        cells: own.cellsOf(row),
        name: nameIn(byNumber.get(row.list), row.cells),
      })),
    };
  });
}

/** What the people of a campaign can be chosen by, and how many each choice has. */
export interface CampaignFilters extends Omit<PeopleCounts, 'byList'> {
  campaign: Campaign;
  /** Also lists that gave nobody. */
  lists: (Pick<List, 'number' | 'path'> & { people: number })[];
  /** The most frequent first. */
  zones: { zoneKey: string; people: number }[];
}

/** @throws AppError `CAMPAIGN_UNKNOWN` (exit 2) */
export function campaignFilters(request: CampaignRequest, world: World): Promise<CampaignFilters> {
  return withCampaign(request, world, 'read', async ({ store, campaign }) => {
    const { byList, ...counts } = await store.peopleCounts(campaign.id);
    const lists = (await store.lists(campaign.id)).map(({ number, path }) => {
      const people = byList.find(({ list }) => list === number)?.people ?? 0;
      return { number, path, people };
    });
    return { campaign, ...counts, lists, zones: await store.zonesOf(campaign.id) };
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
