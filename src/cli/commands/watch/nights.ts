import { listNights } from '../../../app/nights/nights-of.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, wholeNumber } from '../../args/options.ts';
import { nightsOutcome } from '../../print/nights.ts';

const MOST_NIGHTS = 10_000;

export const nights = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...databaseOptions,
    limit: { type: 'text', describe: 'how many of the newest nights', default: '30' },
  },
  examples: [
    ['nights spring', 'what each night has brought, and why it ended'],
    [
      'nights spring --limit 7 --json',
      'the last week, for another program; totals are of all nights',
    ],
  ],
  notes: `A night is the date on which its calls begin, also of those after midnight. The rate is the share of answered
calls among those that have ended. Calls from before nights were kept are one line, "before". Talk time is that of all
calls, as stop.talkMinutes counts it: also where a machine answered, and the longest that a call can have been where
the service gave no duration. \`summary\` counts the answered calls alone.`,
  run: async ({ campaign, db, limit }, io) => {
    const most = wholeNumber('--limit', limit, { min: 1, max: MOST_NIGHTS });
    return nightsOutcome(await listNights({ campaign, db, limit: most }, io));
  },
});
