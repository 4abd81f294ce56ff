import { z } from 'zod';

import { cancelCampaign, cancelLead } from '../../../app/campaigns/cancel.ts';
import {
  archiveCampaign,
  changeSettings,
  renameCampaign,
} from '../../../app/campaigns/change-settings.ts';
import {
  pauseCampaigns,
  resumeCampaign,
  startCampaign,
} from '../../../app/campaigns/start-pause-resume.ts';
import { EXIT } from '../../../runtime/errors.ts';
import {
  archived,
  cancelled,
  paused,
  renamed,
  resumed,
  settingsChanged,
  started,
  withdrawn,
} from '../../../views/campaigns.ts';
import { againOption, campaignOptions, planRequest } from '../../args/campaign-options.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import { interruptible } from '../../terminal/stop.ts';

export const start = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...campaignOptions,
    yes: { type: 'switch', describe: 'start without asking; needed without a terminal' },
    ...againOption,
  },
  examples: [['start spring', 'confirm an imported campaign; `callsheet run spring` then calls']],
  json: started,
  run: interruptible(async (args, io) => {
    const { yes, again } = args;
    const request = { ...planRequest(args.campaign, args, io.clock.now()), yes, again };
    const { name: campaign, state, pauseReason } = await startCampaign(request, io);
    const code = pauseReason === 'operator' ? EXIT.waiting : EXIT.ok;
    return { json: { campaign, state, pauseReason }, code };
  }),
});

export const pause = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign' } },
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
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...campaignOptions,
    yes: { type: 'switch', describe: 'resume without asking; needed without a terminal' },
    ...againOption,
  },
  examples: [['resume spring', 'a runner that waits goes on; `callsheet run spring` starts one']],
  json: resumed,
  run: interruptible(async (args, io) => {
    const { yes, again } = args;
    const request = { ...planRequest(args.campaign, args, io.clock.now()), yes, again };
    const { campaign, changed } = await resumeCampaign(request, io);
    return { json: { campaign: campaign.name, state: campaign.state, changed } };
  }),
});

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
  json: z.union([cancelled, withdrawn]),
  run: interruptible(async ({ lead, ...args }, io) => {
    const done =
      lead === undefined ? await cancelCampaign(args, io) : await cancelLead({ ...args, lead }, io);
    const isLate = !args.undo && 'outcome' in done && done.outcome === 'calling';
    return { json: done, code: isLate ? EXIT.failed : EXIT.ok };
  }),
});

export const set = defineCommand({
  arguments: {
    campaign: { describe: 'the name of a campaign', required: true },
    setting: { describe: 'key=value, with the keys of a campaign file', several: true },
  },
  options: databaseOptions,
  examples: [
    [
      'set spring concurrency=10 pace=60/min',
      'the change is printed and kept; a run in progress follows within a second',
    ],
    ['set spring pace=none', 'a limit is taken away'],
  ],
  notes:
    'A run in progress follows limits, agent, rules, hours, retries, skipCalled and variables; what else is changed holds from the next run on.\ncampaigns/example.yaml shows every key. `callsheet status <campaign>` shows the history of changes.',
  json: settingsChanged,
  run: async (args, io) => ({ json: await changeSettings(args, io) }),
});

export const rename = defineCommand({
  arguments: {
    campaign: { describe: 'the name of a campaign', required: true },
    name: { describe: 'its new name', required: true },
  },
  options: databaseOptions,
  examples: [['rename leads spring', 'the history keeps the old name']],
  notes: `A list is run under the name of its file: \`callsheet run leads.csv\` after this example begins a new campaign;
\`callsheet run leads.csv --name spring\` goes on with this one.`,
  json: renamed,
  run: async (args, io) => ({ json: await renameCampaign(args, io) }),
});

export const archive = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...databaseOptions,
    undo: { type: 'switch', describe: 'take it back' },
  },
  examples: [
    ['archive spring', '`callsheet list` leaves it out; `callsheet list --all` shows it'],
    ['archive spring --undo', 'it is listed again, and may be run'],
  ],
  notes: `Only where nobody waits and no call is open or in doubt. Results, show and collect work as before, and its calls
still count as made.`,
  json: archived,
  run: async (args, io) => ({ json: await archiveCampaign(args, io) }),
});
