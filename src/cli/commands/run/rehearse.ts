import { rehearse as rehearseCampaign } from '../../../app/rehearsal/rehearse.ts';
import { beginAt } from '../../args/begin-at.ts';
import { defineCommand } from '../../args/command.ts';
import { campaignOptions, planArguments, planRequest } from '../../args/campaign-options.ts';
import { listOptions } from '../../args/list-input.ts';
import { rehearsalOutcome } from '../../print/rehearsal-report.ts';
import { interruptible } from '../../terminal/interruptible.ts';

export const rehearse = defineCommand({
  arguments: planArguments,
  options: {
    ...campaignOptions,
    ...listOptions,
    at: {
      type: 'text',
      describe:
        'when it begins, e.g. 18:00 or "2026-11-23 18:00", in the campaign\'s timezone; default now',
    },
    seed: {
      type: 'text',
      describe: 'who answers follows from it; default the seed of the embedded service',
    },
  },
  examples: [
    ['rehearse spring', 'how many nights a campaign takes, and what would shorten that'],
    [
      'rehearse campaigns/example.yaml --at 18:00 --concurrency 12',
      'the same, begun tonight, with 12 calls at once',
    ],
  ],
  notes: `All nights pass in seconds: the same list, rules, hours, caps, retries and settings, on a fast clock, against the
embedded service. Nobody is called, the service is not asked for anything, and nothing in the database
changes. Who answers is made up (as by --service simulated), so results are an example, not a forecast.`,
  run: interruptible(async (args, io) => {
    const { at, seed } = args;
    const request = {
      ...planRequest(args.list, args, io.clock.now()),
      at: beginAt(at, io),
      seed,
    };
    return rehearsalOutcome(await rehearseCampaign(request, io));
  }),
});
