import { pauseCampaigns } from '../../../app/campaigns/pause.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson } from '../../terminal/output.ts';

export const pause = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign' } },
  options: {
    ...databaseOptions,
    all: { type: 'switch', describe: 'every running campaign' },
    ...jsonOption,
  },
  examples: [
    ['pause spring', 'start no new call; calls in progress end by themselves'],
    ['pause --all', 'the same for every running campaign'],
  ],
  run: async (args, io) => {
    const done = await pauseCampaigns(args, io);
    if (args.json) printJson(io, { campaigns: done });
    return EXIT.ok;
  },
});
