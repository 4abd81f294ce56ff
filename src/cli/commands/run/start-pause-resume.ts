import { pauseCampaigns } from '../../../app/campaigns/pause.ts';
import { resumeCampaign, startCampaign } from '../../../app/campaigns/start-resume.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { againOption, campaignOptions, planRequest } from '../../args/campaign-options.ts';
import { databaseOptions } from '../../args/options.ts';
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

export const pause = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign' } },
  options: {
    ...databaseOptions,
    all: { type: 'switch', describe: 'every running campaign' },
  },
  examples: [
    ['pause spring', 'start no new call; calls in progress end by themselves'],
    ['pause --all', 'the same for every running campaign'],
  ],
  run: async (args, io) => ({ json: { campaigns: await pauseCampaigns(args, io) } }),
});

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
