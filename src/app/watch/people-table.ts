import { nameIn } from '../../results/person-name.ts';
import { ownColumns } from '../../results/list-columns.ts';
import { withCampaign, type CampaignRequest } from '../places/databases.ts';
import type { World } from '../world.ts';
import type { PeopleChoice } from './people-query.ts';
import { readPeople, type PeopleView } from './people.ts';

/** A page of people as a table: cells in the order of `columns`, whichever list they come from. */
export interface PeopleTable extends Omit<PeopleView, 'rows'> {
  /** Of all lists of the campaign together. */
  columns: string[];
  rows: (PeopleView['rows'][number] & { name: string | null })[];
}

/** @throws AppError `CAMPAIGN_UNKNOWN`, `FLAG_INVALID` (exit 2) */
export function peopleTable(
  request: CampaignRequest & PeopleChoice,
  world: World,
): Promise<PeopleTable> {
  return withCampaign(request, world, 'read', async (open) => {
    const { rows, ...page } = await readPeople(open, request);
    // Read afterwards, so that they have every list that the rows come from.
    const lists = await open.store.lists(open.campaign.id);
    const own = ownColumns(lists);
    const byNumber = new Map(lists.map((list) => [list.number, list]));
    return {
      ...page,
      columns: own.headers,
      rows: rows.map((row) => ({
        ...row,
        cells: own.cellsOf(row),
        name: nameIn(byNumber.get(row.list), row.cells),
      })),
    };
  });
}
