import type { LeadResult } from '../../domain/lead.ts';
import { nameIn, resultOf } from '../../results/columns.ts';
import { usageError } from '../../runtime/errors.ts';
import type { ExportRow, FoundLead } from '../../store/port.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import { AS_IN_RESULTS } from '../typed.ts';
import type { World } from '../world.ts';
import { leadStory, suppressionOf, type LeadStory, type PersonStory } from './explain.ts';

/** A person of a campaign by their place in its lists. */
export interface PlaceRequest extends CampaignRequest {
  /** The list's number within the campaign. */
  list: number;
  line: number;
}

/** One person in one campaign, with what is known of their numbers in all. */
export interface OnePerson extends Pick<PersonStory, 'suppression' | 'suppressed'> {
  lead: LeadStory;
  name: string | null;
  /** Their calls, the first one first, with the result of each; null: none yet, or it led to no call. */
  calls: {
    row: ExportRow;
    attempt: NonNullable<ExportRow['attempt']>;
    result: LeadResult | null;
  }[];
  /** They wait, so that they can be withdrawn. */
  waits: boolean;
  /** An operator has withdrawn them, which may be taken back. */
  isWithdrawn: boolean;
}

/** @throws AppError `CAMPAIGN_UNKNOWN`, `LEAD_UNKNOWN` (exit 2) */
export function onePerson(request: PlaceRequest, world: World): Promise<OnePerson> {
  return withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    const found = await leadAt(open, request);
    const lead = await leadStory(store, campaign, found, world);
    const numbers = [found.phone, ...found.furtherNumbers];
    const own = lead.history.filter(({ detail }) => detail['phone'] === found.phone);
    return {
      lead,
      name: nameIn(lead.list, found.cells),
      calls: lead.attempts.flatMap((row) => {
        const { attempt } = row;
        return attempt === null ? [] : [{ row, attempt, result: resultOf(attempt) }];
      }),
      waits: found.state === 'waiting',
      isWithdrawn: found.result === 'cancelled' && own.at(-1)?.what === 'lead.cancelled',
      ...(await suppressionOf(store, numbers, world.clock.now())),
    };
  });
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
