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
      'the change is printed and kept; rules, hours and retries hold at once, the rest next run',
    ],
    ['set spring pace=none', 'a limit is taken away'],
  ],
  notes:
    'campaigns/example.yaml shows every key. `callsheet status <campaign>` shows the history of changes.',
  run: async (args, io) => ({ json: await changeSettings(args, io) }),
});
