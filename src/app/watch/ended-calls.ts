import type { ExportRow, TailCursor } from '../../store/port.ts';
import { withCampaign, type CampaignRequest } from '../places/databases.ts';
import type { World } from '../world.ts';

export interface EndedCallsRequest extends CampaignRequest {
  /** The cursor of the answer before; null: only the newest calls. */
  after: TailCursor | null;
  /** How many of the newest calls are returned without a cursor. */
  newest: number;
}

/**
 * Calls of a campaign that have ended since the last time this was asked.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN` (exit 2)
 */
export function endedCalls(
  { after, newest, ...request }: EndedCallsRequest,
  world: World,
): Promise<{ calls: ExportRow[]; cursor: TailCursor }> {
  return withCampaign(request, world, 'read', ({ store, campaign }) =>
    store.finishedCalls(campaign.id, after, newest),
  );
}
