import { resumeCampaign } from '../../../app/campaigns/start-resume.ts';
import { defineCommand } from '../../args/command.ts';
import { againOption, campaignOptions, planRequest } from '../../args/campaign-options.ts';
import { interruptible } from '../../terminal/interruptible.ts';

export const resume = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...campaignOptions,
    yes: { type: 'switch', describe: 'resume without asking; needed without a terminal' },
    ...againOption,
  },
  examples: [['resume spring', 'a runner that waits goes on; `callsheet run spring` starts one']],
  run: interruptible(async (args, io) => {
    const { yes, again } = args;
    const request = { ...planRequest(args.campaign, args, io.clock.now()), yes, again };
    const { campaign, changed } = await resumeCampaign(request, io);
    return { json: { campaign: campaign.name, state: campaign.state, changed } };
  }),
});
