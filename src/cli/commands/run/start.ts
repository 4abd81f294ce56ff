import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { commitPlan } from '../../../app/plan/commit-plan.ts';
import { printJson, say } from '../../terminal/output.ts';
import { makePlan } from '../../../app/plan/plan.ts';
import { againOption, campaignOptions, planRequest } from '../../args/run-options.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { interruptible } from '../../terminal/underway.ts';
import { counted } from '../../../text/plural.ts';
import { whoWorks } from '../../../app/run/who-works.ts';

export const start = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...campaignOptions,
    yes: { type: 'switch', describe: 'start without asking; needed without a terminal' },
    ...againOption,
  },
  examples: [['start spring', 'confirm an imported campaign; `callsheet run spring` then calls']],
  run: interruptible(async (args, io) => {
    const plan = await makePlan(planRequest(args.campaign, args, io.clock.now()), io);
    try {
      const options = { add: false, yes: args.yes, again: args.again, purpose: 'start' } as const;
      const { store, campaign } = await commitPlan(plan, options, io);
      const name = shellWord(campaign.name);
      const { state, pauseReason } = campaign;
      if (args.json) printJson(io, { campaign: campaign.name, state, pauseReason });
      if (campaign.pauseReason === 'operator') {
        say(io, `Campaign "${campaign.name}" is paused; \`callsheet resume ${name}\` starts it.`);
        return EXIT.waiting;
      }
      const { waiting, open } = await store.progress(campaign.id, io.clock.now());
      if (waiting === 0) {
        const collect =
          open === 0
            ? ''
            : ` \`callsheet collect ${name}\` brings in ${counted(open, 'open call')}.`;
        say(
          io,
          `Campaign "${campaign.name}" is ${campaign.state}: nobody waits to be called.${collect} \`callsheet import ${name} <list>\` brings people in.`,
        );
        return EXIT.ok;
      }
      const { calls } = whoWorks(await store.runners(campaign.id), io);
      const next =
        calls === null ? `\`callsheet run ${name}\` calls` : `the runner (${calls}) calls`;
      say(io, `Campaign "${campaign.name}" is started; ${next}.`);
      return EXIT.ok;
    } finally {
      await plan.close();
    }
  }),
});
