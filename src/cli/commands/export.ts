import { EXIT } from '../../runtime/errors.ts';
import { resolve } from 'node:path';
import { writeResults } from '../../results/write.ts';
import type { Campaign } from '../../store/port.ts';
import { defineCommand } from '../command.ts';
import { resultsFile } from '../conduct.ts';
import { withCampaign } from '../databases.ts';
import { databaseOptions } from '../options.ts';
import { say } from '../output.ts';
import { counted } from '../plural.ts';

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
      const format = formatOf(args, campaign);
      const settings = { ...campaign.settings, results: { ...campaign.settings.results, format } };
      const path = args.output ?? resultsFile({ ...campaign, settings }, store.location);
      const to = path === '-' ? io.stdout : resolve(io.cwd, path);
      const { rows, path: written } = await writeResults({ store, campaign, to, format });
      if (written !== null) say(io, `Results: ${written} (${counted(rows, 'row')})`);
      return EXIT.ok;
    }),
});

/** As the flag says, else the ending of the file that is named, else as `run` writes it. */
function formatOf(
  { format, output }: { format: string | undefined; output: string | undefined },
  campaign: Campaign,
): 'csv' | 'jsonl' {
  if (format === 'csv' || format === 'jsonl') return format;
  if (output === undefined || output === '-') return campaign.settings.results.format;
  return output.endsWith('.jsonl') ? 'jsonl' : 'csv';
}
