import { listCampaigns } from '../../../app/watch/campaigns.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import { campaignsOutcome } from '../../print/campaigns.ts';

export const list = defineCommand({
  arguments: {},
  options: {
    ...databaseOptions,
    all: { type: 'switch', describe: 'those that are archived, too' },
  },
  examples: [['list', 'every campaign, in a line each; rehearsals too']],
  run: async ({ db, all }, io) => campaignsOutcome(await listCampaigns({ db, archived: all }, io)),
});
