import { usageError } from '../../runtime/errors.ts';
import type { FoundLead } from '../../store/port.ts';
import type { Person } from '../../views/people.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import { AS_IN_RESULTS } from '../typed.ts';
import type { World } from '../world.ts';
import { personOf } from './person.ts';

/** A person of a campaign by their place in its lists. */
export interface PlaceRequest extends CampaignRequest {
  /** The list's number within the campaign. */
  list: number;
  line: number;
}

/** @throws AppError `CAMPAIGN_UNKNOWN`, `LEAD_UNKNOWN` (exit 2) */
export function onePerson(request: PlaceRequest, world: World): Promise<Person> {
  return withCampaign(request, world, 'read', async (open) =>
    personOf(open, await leadAt(open, request)),
  );
}

/** Nobody is in more campaigns than this; it bounds one reading. */
const MOST_CAMPAIGNS = 200;

/** @throws AppError `LEAD_UNKNOWN` (exit 2) */
export async function leadAt(
  { store, campaign }: OpenCampaign,
  { list, line }: Pick<PlaceRequest, 'list' | 'line'>,
): Promise<FoundLead> {
  const { id, name } = campaign;
  const before = { list, line: line - 1 };
  const [row] = await store.exportPage(id, before, 1, 'columns');
  const isThere = row?.cursor.list === list && row.cursor.line === line;
  const leads = isThere ? await store.findLeads(row.phone, MOST_CAMPAIGNS) : [];
  const found = leads.find((one) => one.campaignId === id && one.phone === row?.phone);
  if (found !== undefined) return found;
  const message = `No lead of "${name}" comes from line ${line} of its list ${list}.`;
  throw usageError('LEAD_UNKNOWN', message, AS_IN_RESULTS);
}
