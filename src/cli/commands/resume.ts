import { EXIT } from '../../runtime/errors.ts';
import { defineCommand } from '../command.ts';
import { commitPlan } from '../commit-plan.ts';
import { say } from '../output.ts';
import { makePlan } from '../plan.ts';
import { campaignOptions } from '../run-options.ts';

export const resume = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...campaignOptions,
    yes: { type: 'switch', describe: 'resume without asking; needed without a terminal' },
  },
  examples: [['resume spring', 'a runner that waits goes on; `callsheet run spring` starts one']],
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
      if (campaign.state === 'paused') {
        await store.changeCampaign(
          campaign.id,
          { state: 'running' },
          {
            at: io.clock.now(),
            who: io.user,
            what: 'campaign.resumed',
            detail: { pause: campaign.pauseReason, live: plan.opened.config.live },
          },
        );
        say(
          io,
          `Campaign "${campaign.name}" is resumed; \`callsheet run ${campaign.name}\` calls if no runner waits.`,
        );
      } else {
        say(io, `Campaign "${campaign.name}" is ${campaign.state}; nothing was paused.`);
      }
      return EXIT.ok;
    } finally {
      await plan.close();
    }
  },
});
