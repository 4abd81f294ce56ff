import { campaignStatus, listCampaigns } from '../../../app/watch/campaigns.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printCampaigns } from '../../print/campaign-list.ts';
import { printStatus } from '../../print/campaign-status.ts';

export const status = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign; default all' } },
  options: { ...databaseOptions, ...jsonOption },
  examples: [
    ['status', 'every campaign, in a line each'],
    ['status spring', 'and who holds the slots, what is in doubt, and what to do'],
  ],
  run: async ({ campaign, db, json }, io) => {
    if (campaign === undefined)
      printCampaigns(await listCampaigns({ db, archived: false }, io), json, io);
    else printStatus(await campaignStatus({ campaign, db }, io), json, io);
    return EXIT.ok;
  },
});
