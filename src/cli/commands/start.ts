import { EXIT } from '../../runtime/errors.ts';
import { defineCommand } from '../command.ts';
import { commitPlan } from '../commit-plan.ts';
import { printJson, say } from '../output.ts';
import { makePlan } from '../plan.ts';
import { againOption, campaignOptions } from '../run-options.ts';
import { shellWord } from '../shell-word.ts';

export const start = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...campaignOptions,
    yes: { type: 'switch', describe: 'start without asking; needed without a terminal' },
    ...againOption,
  },
  examples: [['start spring', 'confirm an imported campaign; `callsheet run spring` then calls']],
  run: async (args, io) => {
    const plan = await makePlan(args.campaign, args, io);
    try {
      const options = { add: false, yes: args.yes, again: args.again, purpose: 'run' } as const;
      const { campaign } = await commitPlan(plan, options, io);
      const name = shellWord(campaign.name);
      const { state, pauseReason } = campaign;
      if (args.json) printJson(io, { campaign: campaign.name, state, pauseReason });
      if (campaign.pauseReason === 'operator') {
        say(io, `Campaign "${campaign.name}" is paused; \`callsheet resume ${name}\` starts it.`);
        return EXIT.waiting;
      }
      say(io, `Campaign "${campaign.name}" is started; \`callsheet run ${name}\` calls.`);
      return EXIT.ok;
    } finally {
      await plan.close();
    }
  },
});
