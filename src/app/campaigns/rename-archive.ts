import { campaignName } from '../../config/fields.ts';
import { invalidFlag } from '../../config/campaign-file.ts';
import { usageError } from '../../runtime/errors.ts';
import { shellWord } from '../../text/wording.ts';
import {
  findCampaign,
  withCampaign,
  type CampaignRequest,
  type OpenCampaign,
} from '../places/databases.ts';
import { resultsFile } from '../results/results-file.ts';
import { whoWorks } from '../run/who-works.ts';
import { historyEntry, type World } from '../world.ts';

/**
 * Gives a campaign another name; the record of whom it has called is kept.
 *
 * @param request.ifVersion the version that was looked at; default: whichever it is
 * @throws AppError `CAMPAIGN_UNKNOWN`, `FLAG_INVALID`, `CAMPAIGN_EXISTS`, `CAMPAIGN_AT_WORK`, `CAMPAIGN_CHANGED`
 *   (exit 2)
 */
export function renameCampaign(
  request: CampaignRequest & { name: string; ifVersion?: number | undefined },
  world: World,
) {
  return withCampaign(request, world, 'write', async (open) => {
    const { store, campaign } = open;
    const { ifVersion } = request;
    const name = readName(request.name);
    // A name is unique over both databases: the real one and the one of rehearsals.
    const taken = await findCampaign(name, request, world);
    if (taken !== undefined) {
      throw usageError(
        'CAMPAIGN_EXISTS',
        `There is a campaign "${name}" already, in ${taken.place.path}.`,
        'choose another name; nothing was changed',
      );
    }
    await refuseAtWork(open);
    const entry = historyEntry(world, 'campaign.renamed', { from: campaign.name, to: name });
    const renamed = await store.changeCampaign(campaign.id, { name, ifVersion }, entry);
    const [before, after] = [campaign, renamed].map((each) =>
      resultsFile(each, store.location, world.clock.now()),
    );
    const word = shellWord(name);
    world.tell(`Campaign "${campaign.name}" is "${name}" now: \`callsheet run ${word}\`.`);
    if (before !== after) world.tell(`Its results go to ${after} from now on; ${before} stays.`);
    world.tell(`A list or file that gave it its name needs --name ${word} from now on.`);
    return { campaign: name, before: campaign.name, resultsFile: after ?? null };
  });
}

function readName(text: string): string {
  const read = campaignName.safeParse(text);
  if (read.success) return read.data;
  throw invalidFlag(`"${text}" ${read.error.issues[0]?.message ?? 'is not a campaign name'}.`);
}

/** A run looks its campaign up by name, so it must not be renamed meanwhile. @throws AppError `CAMPAIGN_AT_WORK` */
async function refuseAtWork({ store, campaign, world }: OpenCampaign): Promise<void> {
  const { runner } = whoWorks(await store.runners(campaign.id), world);
  if (runner === null) return;
  throw usageError(
    'CAMPAIGN_AT_WORK',
    `A runner is working on campaign "${campaign.name}" (${runner}); it can be renamed only while none is.`,
    'end it with Ctrl-C, then rename; nothing was changed',
  );
}

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
