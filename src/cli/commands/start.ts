import { defineCommand } from '../command.ts';
import { commitPlan } from '../commit-plan.ts';
import { EXIT } from '../../runtime/errors.ts';
import { say } from '../output.ts';
import { makePlan } from '../plan.ts';
import { campaignOptions } from '../run-options.ts';

export const start = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...campaignOptions,
    yes: { type: 'switch', describe: 'start without asking; needed without a terminal' },
  },
  examples: [['start spring', 'confirm an imported campaign; `callsheet run spring` then calls']],
  run: async (args, io) => {
    const plan = await makePlan(args.campaign, args, io);
    try {
      const { store } = plan;
      if (store === undefined) throw new Error('the database was not opened');
      const campaign = await commitPlan(
        { ...plan, store },
        { add: false, yes: args.yes, start: true },
        io,
      );
      if (campaign.pauseReason === 'operator') {
        say(
          io,
          `Campaign "${campaign.name}" is paused; \`callsheet resume ${campaign.name}\` starts it.`,
        );
        return EXIT.waiting;
      }
      say(io, `Campaign "${campaign.name}" is started; \`callsheet run ${campaign.name}\` calls.`);
      return EXIT.ok;
    } finally {
      await plan.close();
    }
  },
});
