import { z } from 'zod';
import {
  exportCapturedLeads,
  readResults,
  exportResults as writeExport,
} from '../../../app/results/export.ts';
import { listNights } from '../../../app/nights/nights.ts';
import { reportCampaign, summarizeCampaign, summaryLinesOf } from '../../../app/results/report.ts';
import { invalidFlag } from '../../../config/campaign-file.ts';
import { RESULT_FORMAT_NAMES } from '../../../domain/campaign.ts';
import { counted, shellWord } from '../../../text/wording.ts';
import {
  exported,
  nights as nightsView,
  reported,
  summary as summaryView,
} from '../../../views/results.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, wholeNumber } from '../../args/options.ts';
import type { CommandIo } from '../../io.ts';
import { nightsOutcome } from '../../print/nights.ts';

export const exportResults = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign, or its file', required: true } },
  options: {
    ...databaseOptions,
    output: {
      alias: 'o',
      describe: 'the file; default where `run` writes it; -: stdout',
    },
    format: {
      describe: 'excel is csv for a double click; default by the ending of the file',
      choices: RESULT_FORMAT_NAMES,
    },
    per: {
      describe: 'a row per lead, or per attempt',
      choices: ['lead', 'attempt'],
      default: 'lead',
    },
    only: { type: 'texts', describe: 'only leads with these results, e.g. answered,voicemail' },
    columns: { type: 'texts', describe: 'only these columns, in this order' },
    since: {
      describe: 'only what began, ended or was settled since: 2026-01-05, 18:00, 12h',
    },
    night: {
      describe: 'with --per attempt: only the calls of one night: 2026-01-05, or last',
    },
    force: { type: 'switch', describe: 'replace a file that callsheet did not write' },
    'since-last': {
      type: 'switch',
      describe: 'only leads that are done and in no earlier export with --since-last',
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
      'export spring --since-last -o monday.csv --only answered --columns email,call_phone,call_summary',
      'what has come since the last --since-last, for another program',
    ],
    [
      'export spring --format jsonl -o -',
      'with all turns and the raw analytics, to the next program',
    ],
  ],
  notes: `The results are those of one moment, also while the campaign runs. With --since-last each lead comes once, and again
only if its result changes later; the file must not be there yet, so that nobody's rows are replaced.`,
  json: exported,
  run: async ({ campaign, db, output, force, since, night, ...args }, io) => {
    const format = RESULT_FORMAT_NAMES.find((name) => name === args.format);
    const request = { campaign, db, output, format, force };
    const only = wordsOf(args.only);
    const columns = wordsOf(args.columns);
    if (args.capturedLeads)
      refuseFlags(
        { only, columns, since, night, 'since-last': args.sinceLast, per: args.per !== 'lead' },
        // Captured leads are written whole.
        'chooses among results; it does not go with --captured-leads',
      );
    const written = args.capturedLeads
      ? await exportCapturedLeads(request, io)
      : await writeExport(
          {
            ...request,
            per: args.per === 'attempt' ? 'attempt' : 'lead',
            columns,
            only: only === null ? null : readResults('--only', only),
            since: since === undefined ? undefined : (zone) => readSince(since, zone, io),
            onlyNew: args.sinceLast,
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

/** Refuses the first of these flags that is given, with `why`. @throws AppError `FLAG_INVALID` (exit 2) */
function refuseFlags(flags: Readonly<Record<string, unknown>>, why: string): void {
  const given = Object.keys(flags).find((name) => Boolean(flags[name]));
  if (given !== undefined) throw invalidFlag(`--${given} ${why}.`);
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

/** Up to this many calls a browser shows the page without trouble. */
const MOST_CALLS = 20_000;
const MOST_NIGHTS = 10_000;

export const report = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign, or its file', required: true } },
  options: {
    ...databaseOptions,
    by: { describe: 'a line a night in place of the figures', choices: ['night'] },
    limit: {
      describe: 'with --by night: how many of the newest nights; default 30',
    },
    night: { describe: 'only the calls of one night: 2026-01-05, or last' },
    output: {
      alias: 'o',
      describe: 'one page for a browser, with charts and transcripts; -: stdout',
    },
    force: { type: 'switch', describe: 'replace a file that callsheet did not write' },
    calls: {
      describe:
        'with -o: how many of the newest calls to show with transcripts; 0: none; default 500',
    },
  },
  examples: [
    ['report spring', 'results, answer rate, talk time, sentiment and hours, with bars'],
    ['report spring --by night', 'what each night has brought, and why it ended'],
    ['report spring --night last', 'the calls of the last night alone'],
    ['report spring -o spring.html', 'charts, tables and transcripts on one page'],
    ['report spring -o spring.html --calls 0', 'figures only: no numbers, no transcripts'],
  ],
  notes: `Hours are those of the person's day where the list has a column "timezone" with names such as
America/New_York, else those of the campaign's timezone; the title says which.
A night is the date on which its calls begin, also of those after midnight. The rate is the share of answered
calls among those that have ended. Calls from before nights were kept are one line, "before". By night, talk time is
that of all calls, as stop.talkMinutes counts it: also where a machine answered, and the longest that a call can have
been where the service gave no duration; the figures count the answered calls alone.`,
  json: z.union([summaryView, nightsView, reported]),
  run: async ({ campaign, db, by, limit, night, output, force, calls }, io) => {
    const request = { campaign, db, night };
    if (output !== undefined) {
      refuseFlags({ by, limit }, 'is not on the page of -o');
      const most = wholeNumber('--calls', calls ?? '500', { min: 0, max: MOST_CALLS });
      const { rows, path } = await reportCampaign({ ...request, output, force, calls: most }, io);
      if (path === null) return {};
      return {
        json: { campaign, file: path, calls: rows },
        told: [`Report: ${path} (${counted(rows, 'call')})`],
      };
    }
    refuseFlags({ calls, force }, 'is about the page of -o FILE');
    if (by === 'night') {
      refuseFlags({ night }, 'does not go with --by night');
      const most = wholeNumber('--limit', limit ?? '30', { min: 1, max: MOST_NIGHTS });
      return nightsOutcome(await listNights({ campaign, db, limit: most }, io), io.owner.host);
    }
    refuseFlags({ limit }, 'counts nights: it goes with --by night');
    const json = await summarizeCampaign(request, io);
    const page = `\`callsheet report ${shellWord(campaign)} -o FILE.html\` writes it as a page.`;
    return { json, lines: summaryLinesOf(json), hints: [page] };
  },
});
