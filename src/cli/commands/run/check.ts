import { checkList } from '../../../app/plan/check-list.ts';
import { checkPlan } from '../../../app/plan/check-plan.ts';
import { expectFewAnswers } from '../../../runtime/undici-parser-memory.ts';
import { defineCommand } from '../../args/command.ts';
import { listOptions } from '../../args/list-input.ts';
import { campaignOptions, planArguments, planRequest } from '../../args/campaign-options.ts';
import { printOutcome } from '../../print/outcome.ts';
import { checkOutcome, listCheckOutcome } from '../../print/plan-report.ts';
import { interruptible } from '../../terminal/interruptible.ts';

export const check = defineCommand({
  arguments: planArguments,
  options: { ...campaignOptions, ...listOptions },
  examples: [
    ['check leads.csv', 'what is in a list, and what is still missing to call it; asks no service'],
    [
      'check leads.csv --agent ag_123 --service main',
      'what would be called, and why not; calls nobody, writes nothing',
    ],
  ],
  notes: `Lists: CSV with commas, semicolons, tabs or bars, plain or in .gz or .zip, and workbooks (.xlsx); \`-\` reads CSV
from the standard input.`,
  run: interruptible(async (args, io) => {
    expectFewAnswers();
    const request = planRequest(args.list, args, io.clock.now());
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
