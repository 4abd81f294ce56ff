import type { ResultFormatName } from '../../domain/campaign.ts';
import { columnsOf, type Column } from '../../results/columns.ts';
import { ownColumns } from '../../results/list-columns.ts';
import { withCampaign, type CampaignRequest } from '../places/databases.ts';
import type { World } from '../world.ts';

interface ColumnsRequest extends CampaignRequest {
  per: 'lead' | 'attempt';
  /** Default: the one that the campaign writes. */
  format?: ResultFormatName | undefined;
}

/**
 * The columns that the results of a campaign have, in their order.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN` (exit 2)
 */
export function resultColumns(
  { per, format: given, ...request }: ColumnsRequest,
  world: World,
): Promise<{ columns: Pick<Column, 'name' | 'kind'>[]; format: ResultFormatName }> {
  return withCampaign(request, world, 'read', async ({ store, campaign }) => {
    const format = given ?? campaign.settings.results.format;
    const { headers } = ownColumns(await store.lists(campaign.id));
    const columns = columnsOf(headers, per, format === 'jsonl', null);
    return { columns: columns.map(({ name, kind }) => ({ name, kind })), format };
  });
}
