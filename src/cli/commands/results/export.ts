import {
  exportCapturedLeads,
  readResults,
  exportResults as writeExport,
} from '../../../app/results/export.ts';
import { reportCampaign, summarizeCampaign, summaryLinesOf } from '../../../app/results/report.ts';
import { invalidFlag } from '../../../config/campaign-file.ts';
import { RESULT_FORMAT_NAMES } from '../../../domain/campaign.ts';
import { counted } from '../../../text/wording.ts';
import { exported, reported, summary as summaryView } from '../../../views/results.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, wholeNumber } from '../../args/options.ts';
import type { CommandIo } from '../../io.ts';

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
      describe: 'excel is csv for a double click; default by the ending of the file',
      choices: RESULT_FORMAT_NAMES,
    },
    per: {
      type: 'text',
      describe: 'a row per lead, or per attempt',
      choices: ['lead', 'attempt'],
      default: 'lead',
    },
    only: { type: 'texts', describe: 'only leads with these results, e.g. answered,voicemail' },
    columns: { type: 'texts', describe: 'only these columns, in this order' },
    since: {
      type: 'text',
      describe: 'only what began, ended or was settled since: 2026-01-05, 18:00, 12h',
    },
    night: {
      type: 'text',
      describe: 'with --per attempt: only the calls of one night: 2026-01-05, or last',
    },
    force: { type: 'switch', describe: 'replace a file that callsheet did not write' },
    new: {
      type: 'switch',
      describe: 'only leads that are done and in no earlier export with --new',
    },
    'captured-leads': {
      type: 'switch',
      describe: 'instead, what agents captured in calls: a row each, a column per field',
    },
  },
  examples: [
    ['export spring -o spring.csv', 'one row per lead, also of those that were never called'],
    ['export spring -o spring.xlsx', 'a workbook for Excel or LibreOffice'],
    [
      'export spring --new -o monday.csv --only answered --columns email,call_phone,call_summary',
      'what has come since the last --new, for another program',
    ],
    [
      'export spring --format jsonl -o -',
      'with all turns and the raw analytics, to the next program',
    ],
  ],
  notes: `The results are those of one moment, also while the campaign runs. With --new each lead comes once, and again
only if its result changes later; the file must not be there yet, so that nobody's rows are replaced.`,
  json: exported,
  run: async ({ campaign, db, output, force, since, night, ...args }, io) => {
    const format = RESULT_FORMAT_NAMES.find((name) => name === args.format);
    const request = { campaign, db, output, format, force };
    const only = wordsOf(args.only);
    const columns = wordsOf(args.columns);
    if (args.capturedLeads)
      refuseBeside({ only, columns, since, night, new: args.new, per: args.per !== 'lead' });
    const written = args.capturedLeads
      ? await exportCapturedLeads(request, io)
      : await writeExport(
          {
            ...request,
            per: args.per === 'attempt' ? 'attempt' : 'lead',
            columns,
            only: only === null ? null : readResults('--only', only),
            since: since === undefined ? undefined : (zone) => readSince(since, zone, io),
            onlyNew: args.new,
            night,
          },
          io,
        );
    const { path, rows } = written;
    if (path === null) return {};
    const what = args.capturedLeads ? 'Captured leads' : 'Results';
    return {
      json: { campaign, file: path, format: written.format, rows },
      told: [`${what}: ${path} (${counted(rows, 'row')})`],
    };
  },
});

/** @throws AppError `FLAG_INVALID` (exit 2), as captured leads are written whole */
function refuseBeside(flags: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(flags).find((name) => Boolean(flags[name]));
  if (given !== undefined)
    throw invalidFlag(`--${given} chooses among results; it does not go with --captured-leads.`);
}

/** Imports the library of wall clocks only here, because most commands do not need it. */
async function readSince(since: string, timezone: string, io: CommandIo): Promise<number> {
  const { pastTime } = await import('../../args/moments.ts');
  return pastTime('--since', since, io.clock.now(), timezone);
}

/** The values of a flag, given as `a,b` or as `--flag a --flag b`; null without any. */
function wordsOf(values: readonly string[]): string[] | null {
  const words = values.flatMap((value) => value.split(',')).map((word) => word.trim());
  return words.length === 0 ? null : words.filter((word) => word !== '');
}

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
  json: reported,
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
