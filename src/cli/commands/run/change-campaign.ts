import { z } from 'zod';

import { cancelCampaign, cancelLead } from '../../../app/campaigns/cancel.ts';
import {
  archiveCampaign,
  changeSettings,
  renameCampaign,
  showSettings,
} from '../../../app/campaigns/change-settings.ts';
import { retryPeople } from '../../../app/campaigns/chosen-people.ts';
import { pauseCampaigns, startOrResume } from '../../../app/campaigns/start-pause-resume.ts';
import { invalidFlag } from '../../../config/campaign-file.ts';
import { EXIT } from '../../../runtime/errors.ts';
import {
  archived,
  cancelled,
  paused,
  renamed,
  resumed,
  retried,
  settingsChanged,
  settingsShown,
  withdrawn,
} from '../../../views/campaigns.ts';
import { shellWord } from '../../../text/wording.ts';
import { againOption, campaignOptions, planRequest, swapped } from '../../args/campaign-options.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, serviceOptions } from '../../args/options.ts';
import { interruptible } from '../../terminal/stop.ts';

export const pause = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign, or its file' } },
  options: {
    ...databaseOptions,
    all: { type: 'switch', describe: 'every campaign that is called, or may go on by itself' },
  },
  examples: [
    ['pause spring', 'start no new call; calls in progress end by themselves'],
    ['pause --all', 'the same for every campaign'],
  ],
  json: z.array(paused),
  run: async (args, io) => ({ json: await pauseCampaigns(args, io) }),
});

export const resume = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign, or its file', required: true } },
  options: {
    ...campaignOptions,
    yes: { type: 'switch', describe: 'resume without asking; needed without a terminal' },
    ...againOption,
  },
  examples: [
    ['resume spring', 'a runner that waits goes on; `callsheet run spring` starts one'],
    ['resume autumn', 'an imported campaign is started, after your yes'],
  ],
  json: resumed,
  run: interruptible(async (args, io) => {
    const { yes, again } = args;
    const request = { ...planRequest(args.campaign, args, io.clock.now()), yes, again };
    const { campaign, changed } = await startOrResume(request, io);
    const { name, state, pauseReason } = campaign;
    const code = pauseReason === 'operator' ? EXIT.waiting : EXIT.ok;
    return { json: { campaign: name, state, changed, pauseReason }, code };
  }),
});

export const cancel = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign, or its file', required: true } },
  options: {
    ...databaseOptions,
    lead: { describe: 'only this person: the number to call' },
    undo: {
      type: 'switch',
      describe: 'take it back, as long as nobody concerned was called since',
    },
    archive: {
      type: 'switch',
      describe: 'put away a campaign that is done: `list` leaves it out, its calls still count',
    },
    yes: { type: 'switch', describe: 'cancel without asking; needed without a terminal' },
  },
  examples: [
    ['cancel spring', 'call nobody else in it; calls in progress end by themselves'],
    ['cancel spring --lead +12125550123', 'withdraw one person'],
    ['cancel spring --undo', 'it was the wrong one: it comes back, paused'],
    ['cancel spring --archive', 'nobody waits in it any more; --undo lists it again'],
  ],
  json: z.union([cancelled, withdrawn, archived]),
  run: interruptible(async ({ lead, ...args }, io) => {
    if (args.archive && lead !== undefined)
      throw invalidFlag('--lead is about one person, --archive about all.');
    const done = args.archive
      ? await archiveCampaign(args, io)
      : lead === undefined
        ? await cancelCampaign(args, io)
        : await cancelLead({ ...args, lead }, io);
    const isLate = !args.undo && 'outcome' in done && done.outcome === 'calling';
    return { json: done, code: isLate ? EXIT.failed : EXIT.ok };
  }),
});

export const retry = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign, or its file', required: true } },
  options: {
    results: {
      type: 'texts',
      describe: 'people with these results: no_answer, busy, voicemail, failed',
    },
    yes: { type: 'switch', describe: 'do not ask; needed without a terminal on a live service' },
    services: serviceOptions.services,
    ...databaseOptions,
  },
  examples: [
    ['retry spring --results no_answer,busy', 'they wait again; `callsheet resume spring` calls'],
  ],
  notes: `Nobody is dialled by this. Each of them has as many calls more as retry.attempts says (without retry: one), to the
number that was dialled last. Hours, rules, suppression, caps, retry.gap, retry.perDay and budgets hold as ever.
Left out, with a count: people who are suppressed, withdrawn, kept out by a list, or perhaps reached by a call whose
result is not known. After a kill the same command goes on, and nobody is let wait twice.`,
  json: retried,
  run: interruptible(async (args, io) => ({ json: await retryPeople(args, io) })),
});

export const set = defineCommand({
  arguments: {
    campaign: { describe: 'the name of a campaign, or its file', required: true },
    setting: {
      describe: 'key=value, with the keys of a campaign file; none: show all of them',
      several: true,
    },
  },
  options: databaseOptions,
  examples: [
    ['set spring', 'every setting, and where it comes from'],
    [
      'set spring concurrency=10 pace=60/min',
      'the change is printed and kept; a run in progress follows within a second',
    ],
    ['set spring pace=none', 'a limit is taken away'],
    ['set leads name=spring', 'another name; whom it has called stays known'],
  ],
  notes: `A run in progress follows limits, agent, rules, hours, retries, skipCalled and variables; what else is changed
holds from the next run on. campaigns/example.yaml shows every key.
A list is run under the name of its file: once it has another, \`callsheet run leads.csv --name spring\` goes on with it.`,
  json: z.union([settingsShown, settingsChanged, renamed]),
  run: async (args, io) => {
    const { setting } = args;
    const behind = setting.find((word) => !word.includes('='));
    if (behind !== undefined && /^[\w.]+=/.test(args.campaign)) {
      throw swapped(['set', behind, args.campaign, ...setting.filter((word) => word !== behind)]);
    }
    if (setting.length === 0) {
      const json = await showSettings(args, io);
      const rows = json.settings.map(({ key, value, from }) => [key, value, from]);
      return { json, table: [['SETTING', 'VALUE', 'FROM'], rows] };
    }
    const name = setting.findLast((text) => /^\s*name\s*=/.test(text));
    if (name === undefined) {
      const { run, ...json } = await changeSettings(args, io);
      for (const { key, from, to } of json.changes) io.tell(`${key} ${from} -> ${to}`);
      if (run !== null) io.tell(runLine(run, json.campaign));
      return { json };
    }
    if (setting.length > 1)
      throw invalidFlag('name= is changed by itself: give the other settings afterwards.');
    const to = name.slice(name.indexOf('=') + 1).trim();
    return { json: await renameCampaign({ ...args, name: to }, io) };
  },
});

function runLine(
  { runner, keeps, calls }: { runner: string; keeps: readonly string[]; calls: boolean },
  name: string,
): string {
  if (!calls)
    return `The run in progress (${runner}) starts no more calls; what calls next, such as \`callsheet run ${shellWord(name)}\`, follows the change.`;
  return keeps.length === 0
    ? `The run in progress (${runner}) follows within a second.`
    : `The run in progress (${runner}) keeps ${keeps.join(', ')} as it began; stop it with Ctrl-C and run \`callsheet run ${shellWord(name)}\` to use the new values.`;
}
