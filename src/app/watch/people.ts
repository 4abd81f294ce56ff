import type {
  Campaign,
  ExportCursor,
  List,
  PeopleCounts,
  PeoplePage,
  PeopleQuery,
  PersonRow,
  Store,
} from '../../store/port.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import type { World } from '../world.ts';
import { numberTyped, readPeopleQuery, type PeopleChoice } from './people-query.ts';

/** A page as in the store, with cursors as text. It has fewer people than asked for only at an end of the list. */
export interface PeopleView extends Omit<PeoplePage, 'next' | 'previous'> {
  campaign: Campaign;
  next: string | null;
  previous: string | null;
}

/**
 * A page of a campaign's people. Where counts do not say who matches, many leads are read, a part at a time, so that
 * others are answered meanwhile.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN`, `FLAG_INVALID` (exit 2)
 */
export function peoplePage(
  request: CampaignRequest & PeopleChoice,
  world: World,
): Promise<PeopleView> {
  return withCampaign(request, world, 'read', (open) => readPeople(open, request));
}

/** The same of a campaign that is open. */
export async function readPeople(open: OpenCampaign, choice: PeopleChoice): Promise<PeopleView> {
  const { store, campaign, world } = open;
  const query = await knownNumber(readPeopleQuery(choice, campaign.id), open);
  const { next, previous, ...page } = await fullPage(query, store, world);
  return { campaign, ...page, next: textOf(next), previous: textOf(previous) };
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
  const { total } = await store.people({
    campaignId: campaign.id,
    text: number,
    from: null,
    limit: 1,
  });
  return total === 0 ? query : { ...query, text: number };
}

async function fullPage(query: PeopleQuery, store: Store, { clock }: World): Promise<PeoplePage> {
  const { from, limit } = query;
  const direction = from !== null && 'cursor' in from ? from.direction : 'after';
  const isBackward = direction === 'before';
  const first = await store.people(query);
  let rows: PersonRow[] = first.rows;
  let ahead = isBackward ? first.previous : first.next;
  while (ahead !== null && rows.length < limit) {
    await clock.sleep(0);
    const rest = { cursor: ahead, direction } as const;
    const page = await store.people({ ...query, from: rest, limit: limit - rows.length });
    rows = isBackward ? [...page.rows, ...rows] : [...rows, ...page.rows];
    ahead = isBackward ? page.previous : page.next;
  }
  return { ...first, rows, ...(isBackward ? { previous: ahead } : { next: ahead }) };
}

function textOf(cursor: ExportCursor | null): string | null {
  return cursor === null ? null : `${cursor.list}:${cursor.line}`;
}
