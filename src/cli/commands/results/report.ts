import { reportCampaign, summarizeCampaign, summaryLinesOf } from '../../../app/results/report.ts';
import { counted } from '../../../text/wording.ts';
import { summary as summaryView } from '../../../views/results.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, wholeNumber } from '../../args/options.ts';

const nightOption = {
  night: { type: 'text', describe: 'only the calls of one night: 2026-01-05, or last' },
} as const;

export const summary = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: { ...databaseOptions, ...nightOption },
  examples: [
    ['summary spring', 'results, answer rate, talk time, sentiment and hours, with bars'],
    ['summary spring --night last', 'the calls of the last night alone'],
    ['summary spring --json', 'the same as numbers; durations in ms, sums without rounding'],
  ],
  json: summaryView,
  notes: `Hours are those of the person's day where the list has a column "timezone" with names such as
America/New_York, else those of the campaign's timezone; the title says which.`,
  run: async (args, io) => {
    const json = await summarizeCampaign(args, io);
    return { json, lines: summaryLinesOf(json) };
  },
});

/** Up to this many calls a browser shows the page without trouble. */
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
    ...nightOption,
    calls: {
      type: 'text',
      describe: 'how many of the newest calls to show with transcripts; 0: none',
      default: '500',
    },
  },
  examples: [
    ['report spring -o spring.html', 'charts, tables and transcripts on one page'],
    ['report spring --night last', 'that night, and what has changed since the one before'],
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
