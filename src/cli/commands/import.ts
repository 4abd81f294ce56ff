import { EXIT } from '../../runtime/errors.ts';
import { defineCommand } from '../command.ts';
import { commitPlan } from '../commit-plan.ts';
import { say } from '../output.ts';
import { makePlan } from '../plan.ts';
import { counted } from '../plural.ts';
import { campaignOptions } from '../run-options.ts';
import { shellWord } from '../shell-word.ts';

export const importCommand = defineCommand({
  arguments: {
    campaign: { describe: 'the name of a campaign, new or not', required: true },
    list: { describe: 'a CSV file', required: true },
  },
  options: campaignOptions,
  examples: [
    [
      'import spring leads.csv --agent ag_123 --service main --rules always',
      'make a campaign and call nobody yet',
    ],
    ['import spring data/rejects/leads-2026-01-05.csv', 'bring the mended rows in'],
  ],
  run: async (args, io) => {
    const plan = await makePlan(args.list, { ...args, name: args.campaign }, io);
    try {
      if (plan.surveys.length === 0) {
        say(io, `All of ${args.list} is in "${args.campaign}" already.`);
      }
      const options = { add: true, yes: false, purpose: 'import' } as const;
      const { store, campaign } = await commitPlan(plan, options, io);
      const { waiting } = await store.progress(campaign.id, io.clock.now());
      const next =
        campaign.state === 'running'
          ? 'a runner calls them'
          : `\`callsheet run ${shellWord(campaign.name)}\` calls them`;
      const wait = waiting === 1 ? 'waits' : 'wait';
      say(
        io,
        `Campaign "${campaign.name}" (${campaign.state}): ${counted(waiting, 'lead')} ${wait}; ${next}.`,
      );
      return EXIT.ok;
    } finally {
      await plan.close();
    }
  },
});
