import { pauseCampaigns } from '../../../app/campaigns/pause.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';

export const pause = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign' } },
  options: {
    ...databaseOptions,
    all: { type: 'switch', describe: 'every running campaign' },
  },
  examples: [
    ['pause spring', 'start no new call; calls in progress end by themselves'],
    ['pause --all', 'the same for every running campaign'],
  ],
  run: async (args, io) => ({ json: { campaigns: await pauseCampaigns(args, io) } }),
});
