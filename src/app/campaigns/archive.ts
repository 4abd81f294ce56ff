import { shellWord } from '../../text/shell-word.ts';
import { withCampaign, type CampaignRequest } from '../places/databases.ts';
import type { World } from '../world.ts';

/**
 * Puts a campaign away that is done, or takes that back.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN`, and those of the store where somebody waits or a call is open (exit 2)
 */
export function archiveCampaign(
  { undo, ...request }: CampaignRequest & { undo: boolean },
  world: World,
) {
  return withCampaign(request.campaign, request, world, 'write', async (store, campaign) => {
    const { id, name, archivedAt } = campaign;
    const changed = (archivedAt !== undefined) === undo;
    const at = world.clock.now();
    if (changed) {
      const what = undo ? 'campaign.unarchived' : 'campaign.archived';
      const change = { archivedAt: undo ? null : at };
      await store.changeCampaign(id, change, { at, who: world.user, what, detail: {} });
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
