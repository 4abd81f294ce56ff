import { listCampaigns } from '../../../app/watch/campaigns.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printCampaigns } from '../../print/campaign-list.ts';

export const list = defineCommand({
  arguments: {},
  options: {
    ...databaseOptions,
    all: { type: 'switch', describe: 'those that are archived, too' },
    ...jsonOption,
  },
  examples: [['list', 'every campaign, in a line each; rehearsals too']],
  run: async ({ db, all, json }, io) => {
    printCampaigns(await listCampaigns({ db, archived: all }, io), json, io);
    return EXIT.ok;
  },
});
