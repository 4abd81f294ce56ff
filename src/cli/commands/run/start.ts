import { startCampaign } from '../../../app/campaigns/start-resume.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { againOption, campaignOptions, planRequest } from '../../args/campaign-options.ts';
import { interruptible } from '../../terminal/interruptible.ts';

export const start = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...campaignOptions,
    yes: { type: 'switch', describe: 'start without asking; needed without a terminal' },
    ...againOption,
  },
  examples: [['start spring', 'confirm an imported campaign; `callsheet run spring` then calls']],
  run: interruptible(async (args, io) => {
    const { yes, again } = args;
    const request = { ...planRequest(args.campaign, args, io.clock.now()), yes, again };
    const { name: campaign, state, pauseReason } = await startCampaign(request, io);
    const code = pauseReason === 'operator' ? EXIT.waiting : EXIT.ok;
    return { json: { campaign, state, pauseReason }, code };
  }),
});
