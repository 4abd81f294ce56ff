import type { ImportReport } from '../../../leads/import.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { expectFewAnswers } from '../../../runtime/few-answers.ts';
import type { Agent } from '../../../service/port.ts';
import type { Campaign, Store } from '../../../store/port.ts';
import { defineCommand } from '../../args/command.ts';
import { askForAgent, type Beginning } from '../../../app/services/ask-first.ts';
import { commitPlan } from '../../../app/plan/commit-plan.ts';
import { giveUpImport } from '../../../app/plan/give-up-import.ts';
import type { World } from '../../../app/world.ts';
import type { CommandIo } from '../../io.ts';
import { listJson } from '../../print/json-times.ts';
import { listOptions } from '../../args/list-input.ts';
import { printJson, say } from '../../terminal/output.ts';
import { makePlan, type Plan } from '../../../app/plan/plan.ts';
import { counted } from '../../../text/plural.ts';
import { bringBack } from '../../../app/plan/returning.ts';
import { againOption, campaignOptions, planRequest } from '../../args/run-options.ts';
import { requireLists } from '../../../app/places/target.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { confirmSync, syncKnown } from '../../../app/plan/sync.ts';
import { interruptible } from '../../terminal/underway.ts';
import { invalidFlag } from '../../../config/mend.ts';
import { whoWorks } from '../../../app/run/who-works.ts';

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
    yes: { type: 'switch', describe: 'let many leave by --sync without asking' },
    instead: { type: 'switch', describe: 'in place of a list whose import was broken off' },
  },
  examples: [
    [
      'import spring leads.csv --agent ag_123 --service main --rules always',
      'make a campaign and call nobody yet',
    ],
    ['import spring data/rejects/leads-2026-01-05.csv', 'bring the mended rows in'],
    ['import spring people.xlsx --sheet Leads --map phone=Mobile', 'from a workbook'],
    ['import spring tonight.csv --sync', 'the list is complete: who is not on it is not called'],
    ['import spring new.csv --instead', 'give up the list whose import was broken off'],
  ],
  notes: `Where more than 20 % of those who wait would leave by --sync it asks; off a terminal it needs --yes.
Whoever has left and is on a later list waits again.`,
  run: interruptible(async (args, io) => {
    expectFewAnswers();
    requireLists(args.list, io.cwd);
    const { sync, yes } = args;
    const asked = planRequest(args.list, { ...args, name: args.campaign }, io.clock.now());
    const plan = await makePlan({ ...asked, instead: args.instead }, io, 'change', askNew);
    try {
      if (sync) await requireGoodSync(plan, yes, io);
      if (args.instead) await giveUpImport(plan, io);
      if (plan.surveys.length === 0) {
        say(io, `All of ${args.list} is in "${args.campaign}" already.`);
      }
      const options = {
        add: true,
        yes: false,
        again: args.again,
        purpose: 'import',
        sync,
      } as const;
      const done = await commitPlan(plan, options, io);
      const { store, campaign, reports } = done;
      const left = done.left + (sync ? await syncKnown(plan, store, campaign, io) : 0);
      const back = done.back + (await bringBack(store, campaign, plan.phones, io));
      const { waiting } = await store.progress(campaign.id, io.clock.now());
      say(io, await nextStep(store, campaign, waiting, io));
      if (args.json) {
        const known = plan.known.map(({ path }) => path);
        printJson(io, {
          campaign: campaign.name,
          state: campaign.state,
          waiting,
          left,
          back,
          known,
          lists: reports.map((report) => reportJson(report, campaign)),
        });
      }
      return EXIT.ok;
    } finally {
      await plan.close();
    }
  }),
});

/** A campaign that exists takes rows whether or not its service answers. */
async function askNew(beginning: Beginning, world: World): Promise<Agent | null | undefined> {
  return beginning.campaign === undefined ? askForAgent(beginning, world) : undefined;
}

/** A broken export must not take everybody out of the campaign, nor one that was cut short. */
async function requireGoodSync(plan: Plan, yes: boolean, io: CommandIo): Promise<void> {
  if (plan.phones.size === 0) {
    throw invalidFlag(
      '--sync needs a list with good rows: this one has none, and would cancel everybody.',
    );
  }
  await confirmSync(plan, yes, io);
}

async function nextStep(store: Store, campaign: Campaign, waiting: number, io: CommandIo) {
  const { name, state, pauseReason } = campaign;
  const { calls } = whoWorks(await store.runners(campaign.id), io);
  const next =
    state === 'running' && calls !== null
      ? `the runner (${calls}) calls them`
      : `\`callsheet ${pauseReason === 'operator' ? 'resume' : 'run'} ${shellWord(name)}\` calls them`;
  const wait = waiting === 1 ? 'waits' : 'wait';
  return `Campaign "${name}" (${state}): ${counted(waiting, 'lead')} ${wait}; ${next}.`;
}

function reportJson({ list, ...report }: ImportReport, { settings }: Campaign) {
  return { ...report, list: listJson(list, settings.timezone) };
}
