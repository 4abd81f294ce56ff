import { changeSettings } from '../../../app/campaigns/change-settings.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';

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
  run: async (args, io) => ({ json: await changeSettings(args, io) }),
});
