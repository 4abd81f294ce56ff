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
