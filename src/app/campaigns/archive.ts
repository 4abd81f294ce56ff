import { shellWord } from '../../text/shell-word.ts';
import { withCampaign, type CampaignRequest } from '../places/databases.ts';
import { historyEntry, type World } from '../world.ts';

/**
 * Archives a campaign that is done, or brings it back from the archive.
 *
 * @param request.ifVersion the version that was looked at; default: whichever it is
 * @throws AppError `CAMPAIGN_UNKNOWN`, `CAMPAIGN_CHANGED`, and those of the store when a lead still waits or a call is
 *   open (exit 2)
 */
export function archiveCampaign(
  request: CampaignRequest & { undo: boolean; ifVersion?: number | undefined },
  world: World,
) {
  const { undo, ifVersion } = request;
  return withCampaign(request, world, 'write', async ({ store, campaign }) => {
    const { id, name, archivedAt } = campaign;
    const changed = (archivedAt !== undefined) === undo;
    if (changed) {
      const entry = historyEntry(world, undo ? 'campaign.unarchived' : 'campaign.archived');
      await store.changeCampaign(id, { archivedAt: undo ? null : entry.at, ifVersion }, entry);
    }
    const back = `\`callsheet archive ${shellWord(name)} --undo\` takes it back`;
    world.tell(
      undo
        ? `Campaign "${name}" is not archived${changed ? ' any more' : ''}.`
        : `Campaign "${name}" is archived${changed ? '' : ' already'}; its calls still count as made. ${back}.`,
    );
    return { campaign: name, archived: !undo, changed };
  });
}
