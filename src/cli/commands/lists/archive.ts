import { archiveCampaign } from '../../../app/campaigns/archive.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';

export const archive = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...databaseOptions,
    undo: { type: 'switch', describe: 'take it back' },
  },
  examples: [
    ['archive spring', '`callsheet list` leaves it out; `callsheet list --all` shows it'],
    ['archive spring --undo', 'it is listed again, and may be run'],
  ],
  notes: `Only where nobody waits and no call is open or in doubt. Results, show and collect work as before, and whoever was
called by it was called.`,
  run: async (args, io) => ({ json: await archiveCampaign(args, io) }),
});
