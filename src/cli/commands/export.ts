import { EXIT } from '../../runtime/errors.ts';
import { dirname, join, resolve } from 'node:path';
import { writeResults } from '../../results/write.ts';
import { defineCommand } from '../command.ts';
import { withCampaign } from '../databases.ts';
import { databaseOptions } from '../options.ts';
import { say } from '../output.ts';

export const exportResults = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...databaseOptions,
    output: {
      type: 'text',
      alias: 'o',
      describe: 'the file; default where `run` writes it; -: stdout',
    },
    format: {
      type: 'text',
      describe: 'csv or jsonl; default by the ending',
      choices: ['csv', 'jsonl'],
    },
  },
  examples: [
    ['export spring -o spring.csv', 'one row per lead, also of those that were never called'],
    [
      'export spring --format jsonl -o -',
      'with all turns and the raw analytics, to the next program',
    ],
  ],
  run: (args, io) =>
    withCampaign(args.campaign, args, io, 'read', async (store, campaign) => {
      const { results } = campaign.settings;
      const given = args.output;
      const format =
        (args.format as 'csv' | 'jsonl' | undefined) ??
        (given === undefined || given === '-'
          ? results.format
          : given.endsWith('.jsonl')
            ? 'jsonl'
            : 'csv');
      const fallback = join(dirname(store.location), 'results', `${campaign.name}.${format}`);
      const path = given === undefined ? (results.file ?? fallback) : given;
      const to = path === '-' ? io.stdout : resolve(io.cwd, path);
      const { rows, path: written } = await writeResults({ store, campaign, to, format });
      if (written !== null) say(io, `Results: ${written} (${rows} rows)`);
      return EXIT.ok;
    }),
});
