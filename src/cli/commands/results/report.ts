import { reportCampaign } from '../../../app/results/report.ts';
import { counted } from '../../../text/plural.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, wholeNumber } from '../../args/options.ts';

/** A browser shows so many without trouble. */
const MOST_CALLS = 20_000;

export const report = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...databaseOptions,
    output: {
      type: 'text',
      alias: 'o',
      describe: 'the file; default <campaign>.html beside the results; -: stdout',
    },
    force: { type: 'switch', describe: 'replace a file that callsheet did not write' },
    calls: {
      type: 'text',
      describe: 'so many of the newest calls with their transcripts; 0: none',
      default: '500',
    },
  },
  examples: [
    ['report spring -o spring.html', 'charts, tables and transcripts on one page'],
    ['report spring --calls 0', 'figures only: no numbers, no transcripts'],
  ],
  run: async (args, io) => {
    const calls = wholeNumber('--calls', args.calls, { min: 0, max: MOST_CALLS });
    const { rows, path } = await reportCampaign({ ...args, calls }, io);
    if (path === null) return {};
    return {
      json: { campaign: args.campaign, file: path, calls: rows },
      told: [`Report: ${path} (${counted(rows, 'call')})`],
    };
  },
});
