import { archiveCampaign } from '../../../app/campaigns/archive.ts';
import { renameCampaign } from '../../../app/campaigns/rename.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';

export const rename = defineCommand({
  arguments: {
    campaign: { describe: 'the name of a campaign', required: true },
    name: { describe: 'its new name', required: true },
  },
  options: databaseOptions,
  examples: [['rename leads spring', 'the history keeps the old name']],
  notes: `A list is run under the name of its file: \`callsheet run leads.csv\` after this example begins a new campaign;
\`callsheet run leads.csv --name spring\` goes on with this one.`,
  run: async (args, io) => ({ json: await renameCampaign(args, io) }),
});

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
  notes: `Only where nobody waits and no call is open or in doubt. Results, show and collect work as before, and its calls
still count as made.`,
  run: async (args, io) => ({ json: await archiveCampaign(args, io) }),
});
