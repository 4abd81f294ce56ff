import { EXIT } from '../../runtime/errors.ts';
import { expectFewAnswers } from '../../runtime/few-answers.ts';
import type { Agent } from '../../service/port.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { defineCommand } from '../command.ts';
import { askForAgent, type Beginning } from '../ask-first.ts';
import { commitPlan } from '../commit-plan.ts';
import type { Io } from '../io.ts';
import { listOptions } from '../list-input.ts';
import { invalidFlag } from '../options.ts';
import { printJson, say } from '../output.ts';
import { makePlan, type Plan } from '../plan.ts';
import { counted } from '../plural.ts';
import { againOption, campaignOptions } from '../run-options.ts';
import { requireLists } from '../target.ts';
import { shellWord } from '../shell-word.ts';
import { waitingOutside } from '../waiting-outside.ts';

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
  },
  examples: [
    [
      'import spring leads.csv --agent ag_123 --service main --rules always',
      'make a campaign and call nobody yet',
    ],
    ['import spring data/rejects/leads-2026-01-05.csv', 'bring the mended rows in'],
    ['import spring people.xlsx --sheet Leads --map phone=Mobile', 'from a workbook'],
    ['import spring tonight.csv --sync', 'the list is complete: who is not on it is not called'],
  ],
  run: async (args, io) => {
    expectFewAnswers();
    requireLists(args.list, io.cwd);
    const plan = await makePlan(args.list, { ...args, name: args.campaign }, io, 'change', askNew);
    try {
      if (args.sync) refuseEmptySync(plan);
      if (plan.surveys.length === 0) {
        say(io, `All of ${args.list} is in "${args.campaign}" already.`);
      }
      const options = { add: true, yes: false, again: args.again, purpose: 'import' } as const;
      const { store, campaign, reports } = await commitPlan(plan, options, io);
      const left = args.sync ? await cancelWhoLeft(plan, store, campaign, io) : 0;
      const { waiting } = await store.progress(campaign.id, io.clock.now());
      const next =
        campaign.state === 'running'
          ? 'a runner calls them'
          : `\`callsheet run ${shellWord(campaign.name)}\` calls them`;
      const wait = waiting === 1 ? 'waits' : 'wait';
      say(
        io,
        `Campaign "${campaign.name}" (${campaign.state}): ${counted(waiting, 'lead')} ${wait}; ${next}.`,
      );
      if (args.json) {
        const known = plan.known.map(({ path }) => path);
        printJson(io, {
          campaign: campaign.name,
          state: campaign.state,
          waiting,
          left,
          known,
          lists: reports,
        });
      }
      return EXIT.ok;
    } finally {
      await plan.close();
    }
  },
});

/** A campaign that exists takes rows whether or not its service answers. */
async function askNew(beginning: Beginning, io: Io): Promise<Agent | null | undefined> {
  return beginning.campaign === undefined ? askForAgent(beginning, io) : undefined;
}

/** A broken export must not take everybody out of the campaign. */
function refuseEmptySync({ phones }: Plan): void {
  if (phones.size > 0) return;
  throw invalidFlag(
    '--sync needs a list with good rows: this one has none, and would cancel everybody.',
  );
}

/** At most 1,000 a transaction, so that a runner beside it is not held up. */
async function cancelWhoLeft(
  { phones }: Plan,
  store: Store,
  campaign: Campaign,
  io: Io,
): Promise<number> {
  let left = 0;
  for await (const outside of waitingOutside(store, campaign.id, phones)) {
    left += await store.cancelWaiting(campaign.id, outside, 'left_list');
  }
  const detail = { cancelled: left, onList: phones.size };
  await store.addHistory(campaign.id, {
    at: io.clock.now(),
    who: io.user,
    what: 'leads.synced',
    detail,
  });
  say(
    io,
    `${counted(left, 'waiting lead')} not on this list ${left === 1 ? 'is' : 'are'} cancelled.`,
  );
  return left;
}
