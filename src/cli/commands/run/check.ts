import { checkList, checkPlan } from '../../../app/plan/check-plan.ts';
import { expectFewAnswers } from '../../../runtime/process.ts';
import {
  beginAt,
  campaignOptions,
  listOptions,
  planArguments,
  planRequest,
} from '../../args/campaign-options.ts';
import { defineCommand } from '../../args/command.ts';
import { printOutcome } from '../../print/outcome.ts';
import { checkOutcome, listCheckOutcome } from '../../print/plan-report.ts';
import { interruptible } from '../../terminal/stop.ts';

export const check = defineCommand({
  arguments: planArguments,
  options: {
    ...campaignOptions,
    ...listOptions,
    at: {
      type: 'text',
      describe:
        'when it would begin, e.g. 18:00 or "2026-11-23 18:00", in the campaign\'s timezone, for the forecast; default now',
    },
  },
  examples: [
    ['check leads.csv', 'what is in a list, and what is still missing to call it; asks no service'],
    [
      'check leads.csv --agent ag_123 --service main',
      'what would be called, and why not; calls nobody, writes nothing',
    ],
    [
      'check spring --at 18:00',
      'when it would be finished if it began at 18:00, and how sure that is',
    ],
  ],
  notes: `Lists: CSV with commas, semicolons, tabs or bars, plain or in .gz or .zip, and workbooks (.xlsx); \`-\` reads CSV
from the standard input.
The forecast plays the campaign through with the hours, caps, retries, budgets and pace that decide its calls, with
lengths and outcomes of calls that were seen: its own, else those with the same agent, else at the same service, else
usual ones. Of ten ends, one is expected before the range, one after it. It knows nothing of other campaigns that
share the slots, of calls of other campaigns to these people, and of second numbers.`,
  run: interruptible(async (args, io) => {
    expectFewAnswers();
    const request = {
      ...planRequest(args.list, args, io.clock.now()),
      at: beginAt(args.at, io),
    };
    const alone = await checkList(request, io);
    if (alone !== undefined) {
      const outcome = listCheckOutcome(alone);
      if (alone.problem === undefined) return outcome;
      printOutcome(outcome, args.json, io);
      throw alone.problem;
    }
    return checkOutcome(await checkPlan(request, io), io);
  }),
});
