import { EXIT } from '../../../runtime/errors.ts';
import type { Campaign } from '../../../store/port.ts';
import { defineCommand } from '../../args/command.ts';
import { commitPlan } from '../../../app/plan/commit-plan.ts';
import { findCampaign } from '../../../app/places/databases.ts';
import { printJson, say } from '../../terminal/output.ts';
import { makePlan } from '../../../app/plan/plan.ts';
import { againOption, campaignOptions, planRequest } from '../../args/run-options.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { interruptible } from '../../terminal/underway.ts';
import { whoWorks } from '../../../app/run/who-works.ts';

export const resume = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...campaignOptions,
    yes: { type: 'switch', describe: 'resume without asking; needed without a terminal' },
    ...againOption,
  },
  examples: [['resume spring', 'a runner that waits goes on; `callsheet run spring` starts one']],
  run: interruptible(async (args, io) => {
    const nothingToResume = (campaign: Campaign) => {
      if (args.json) printJson(io, jsonOf(campaign, false));
      say(io, `Campaign "${campaign.name}" is ${campaign.state}, not paused: nothing to resume.`);
      return EXIT.ok;
    };
    // Where no service is named, what is stored says so before anything else is needed, such as a key.
    const isPlain = args.service === undefined && args.serviceUrl === undefined;
    const stored = isPlain ? await findCampaign(args.campaign, args, io) : undefined;
    if (stored !== undefined && stored.campaign.state !== 'paused')
      return nothingToResume(stored.campaign);
    const plan = await makePlan(planRequest(args.campaign, args, io.clock.now()), io);
    try {
      const { campaign } = plan;
      if (campaign !== undefined && campaign.state !== 'paused') return nothingToResume(campaign);
      const options = { add: false, yes: args.yes, again: args.again, purpose: 'resume' } as const;
      const { store, campaign: resumed } = await commitPlan(plan, options, io);
      const { calls: runner } = whoWorks(await store.runners(resumed.id), io);
      if (args.json) printJson(io, jsonOf(resumed, true));
      const next =
        runner === null
          ? `\`callsheet run ${shellWord(resumed.name)}\` calls`
          : `the runner (${runner}) goes on`;
      say(io, `Campaign "${resumed.name}" is resumed; ${next}.`);
      return EXIT.ok;
    } finally {
      await plan.close();
    }
  }),
});

function jsonOf({ name, state }: Campaign, changed: boolean) {
  return { campaign: name, state, changed };
}
