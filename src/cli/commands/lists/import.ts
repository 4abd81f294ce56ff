import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { importInto } from '../../../app/plan/import-into.ts';
import { imported } from '../../../views/plan.ts';
import { defineCommand } from '../../args/command.ts';
import {
  againOption,
  campaignOptions,
  listOptions,
  planRequest,
  swapped,
} from '../../args/campaign-options.ts';
import { interruptible } from '../../terminal/stop.ts';
import { expectFewAnswers, expectLongList } from '../../../runtime/process.ts';

export const importCommand = defineCommand({
  arguments: {
    campaign: { describe: 'the name of a campaign, new or not', required: true },
    list: { describe: 'CSV, also .gz or .zip, a workbook (.xlsx), or -: stdin', required: true },
  },
  options: {
    ...campaignOptions,
    ...listOptions,
    ...againOption,
    sync: { type: 'switch', describe: 'cancel waiting leads that are not on this list any more' },
    yes: { type: 'switch', describe: 'let --sync remove many leads without asking' },
    instead: {
      type: 'switch',
      describe: 'take this list instead of one whose import was broken off',
    },
  },
  examples: [
    [
      'import spring leads.csv --agent ag_123 --service main',
      'make a campaign and call nobody yet',
    ],
    ['import spring data/rejects/leads-2026-01-05.csv', 'bring the mended rows in'],
    ['import spring people.xlsx --sheet Leads --map phone=Mobile', 'from a workbook'],
    ['import spring tonight.csv --sync', 'the list is complete: who is not on it is not called'],
    ['import spring new.csv --instead', 'give up the list whose import was broken off'],
  ],
  notes: `Where more than 20 % of those who wait would leave by --sync it asks; off a terminal it needs --yes.
People who have left and are on a later list wait again.`,
  json: imported,
  run: interruptible(async (args, io) => {
    const { campaign, list } = args;
    const isThere = (file: string) =>
      statSync(resolve(io.cwd, file), { throwIfNoEntry: false })?.isFile() === true;
    if (isThere(campaign) && list !== '-' && !isThere(list))
      throw swapped(['import', list, campaign]);
    expectFewAnswers();
    expectLongList();
    io.underway.hasOwnProcess = true;
    const { yes, again, sync, instead } = args;
    const asked = planRequest(args.list, { ...args, name: args.campaign }, io.clock.now());
    const request = { ...asked, yes, again, sync, instead };
    return { json: await importInto(request, io) };
  }),
});
