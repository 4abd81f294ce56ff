import { changeSettings } from '../../../app/campaigns/change-settings.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson } from '../../terminal/output.ts';

export const set = defineCommand({
  arguments: {
    campaign: { describe: 'the name of a campaign', required: true },
    setting: { describe: 'key=value, with the keys of a campaign file', several: true },
  },
  options: { ...databaseOptions, ...jsonOption },
  examples: [
    ['set spring concurrency=10 pace=60/min', 'for its next run; the change is printed and kept'],
    ['set spring pace=none', 'a limit is taken away'],
  ],
  notes:
    'campaigns/example.yaml shows every key. `callsheet status <campaign>` shows the history of changes.',
  run: async (args, io) => {
    const done = await changeSettings(args, io);
    if (args.json) printJson(io, done);
    return EXIT.ok;
  },
});
