import { cancelCampaign, cancelLead } from '../../../app/campaigns/cancel.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import { interruptible } from '../../terminal/interruptible.ts';

export const cancel = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...databaseOptions,
    lead: { type: 'text', describe: 'only this person: the number to call' },
    undo: {
      type: 'switch',
      describe: 'take it back, as long as nobody concerned was called since',
    },
    yes: { type: 'switch', describe: 'cancel without asking; needed without a terminal' },
  },
  examples: [
    ['cancel spring', 'call nobody else in it; calls in progress end by themselves'],
    ['cancel spring --lead +12125550123', 'withdraw one person'],
    ['cancel spring --undo', 'it was the wrong one: it comes back, paused'],
  ],
  run: interruptible(async ({ lead, ...args }, io) => {
    const done =
      lead === undefined ? await cancelCampaign(args, io) : await cancelLead({ ...args, lead }, io);
    const isLate = 'outcome' in done && done.outcome === 'calling';
    return { json: done, code: isLate ? EXIT.failed : EXIT.ok };
  }),
});
