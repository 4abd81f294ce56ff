import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  formatByEnding,
  RESULT_FORMAT_NAMES,
  type ResultFormatName,
} from '../../../domain/campaign.ts';
import { nearest } from '../../../text/nearest.ts';
import { refusedEnding } from '../../../domain/results-ending.ts';
import { LEAD_RESULTS, type LeadResult } from '../../../domain/lead.ts';
import { writeResults } from '../../../results/write.ts';
import { AppError, EXIT } from '../../../runtime/errors.ts';
import type { Campaign } from '../../../store/port.ts';
import { defineCommand } from '../../args/command.ts';
import { resultsFile } from '../../../app/run/run-and-report.ts';
import { withCampaign } from '../../../app/places/databases.ts';
import { exportCapturedLeads } from '../../../app/repair/export-captured.ts';
import type { CommandIo } from '../../io.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { requireOutput } from '../../../app/places/output-file.ts';
import { counted } from '../../../text/plural.ts';
import { invalidFlag } from '../../../config/mend.ts';

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
    force: { type: 'switch', describe: 'replace a file that callsheet did not write' },
    new: {
      type: 'switch',
      describe: 'only leads that are done and in no earlier export with --new',
    },
    'captured-leads': {
      type: 'switch',
      describe: 'instead, what agents captured in calls: a row each, a column per field',
    },
    ...jsonOption,
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
  run: (args, io) =>
    withCampaign(args.campaign, args, io, args.new ? 'write' : 'read', async (store, campaign) => {
      if (args.new && args.per === 'attempt') {
        throw invalidFlag('--new is about leads; it does not go with --per attempt.');
      }
      if (args.capturedLeads) return exportCapturedLeads(args, store, campaign, io);
      const format = formatOf(args, campaign);
      const path = args.output ?? defaultFile(args, format, campaign, store.location, io);
      const to = path === '-' ? io.data : resolve(io.cwd, path);
      if (args.new && typeof to === 'string' && existsSync(to)) throw isThere(to);
      if (typeof to === 'string') await requireOutput(to, { store, force: args.force }, io);
      refuseEnding(args);
      const { timezone } = campaign.settings;
      const { since } = args;
      const { rows, path: written } = await writeResults({
        store,
        campaign,
        to,
        format,
        per: args.per === 'attempt' ? 'attempt' : 'lead',
        columns: wordsOf(args.columns),
        only: resultsOf(wordsOf(args.only)),
        since: since === undefined ? null : await readSince(since, io.clock.now(), timezone),
        onlyNew: args.new,
      });
      if (args.json && written !== null)
        printJson(io, { campaign: campaign.name, file: written, format, rows });
      if (written !== null) say(io, `Results: ${written} (${counted(rows, 'row')})`);
      return EXIT.ok;
    }),
});

/** The library of wall clocks is loaded for those who need it. */
async function readSince(since: string, now: number, timezone: string): Promise<number> {
  const { pastTime } = await import('../../args/past-time.ts');
  return pastTime('--since', since, now, timezone);
}

/** After what may not be replaced: that is the graver mistake. */
function refuseEnding({
  output,
  format,
}: {
  output: string | undefined;
  format: string | undefined;
}) {
  if (output === undefined || format !== undefined) return;
  const refused = /\.html?$/i.test(output)
    ? `-o "${output}" is a web page by its name: \`callsheet report\` writes that; results are written as .csv, .xlsx or .jsonl.`
    : refusedEnding('-o', output);
  if (refused !== undefined) throw invalidFlag(refused);
}

/** As the flag says, else the ending of the file that is named, else as `run` writes it. */
function formatOf(
  { format, output }: { format: string | undefined; output: string | undefined },
  campaign: Campaign,
): ResultFormatName {
  const named = RESULT_FORMAT_NAMES.find((name) => name === format);
  if (named !== undefined) return named;
  if (output === undefined || output === '-') return campaign.settings.results.format;
  return formatByEnding(output);
}

/** What is new gets a file of its own each time: it is nowhere else, once it was given out. */
function defaultFile(
  { new: onlyNew }: { new: boolean },
  format: ResultFormatName,
  campaign: Campaign,
  location: string,
  io: CommandIo,
): string {
  const file = resultsFile(
    { ...campaign, settings: { ...campaign.settings, results: { file: null, format } } },
    location,
  );
  if (onlyNew) {
    const time = new Date(io.clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const ending = file.slice(file.lastIndexOf('.'));
    return freeFile(join(dirname(file), `${campaign.name}-new-${time}`), ending);
  }
  const { results } = campaign.settings;
  return results.file !== null && results.format === format ? results.file : file;
}

/** Two of them may be asked for within a second. */
function freeFile(stem: string, ending: string): string {
  let path = stem + ending;
  for (let n = 2; existsSync(path); n++) path = `${stem}-${n}${ending}`;
  return path;
}

function isThere(path: string): AppError {
  const message = `${path} is there already: what --new writes is written once, and would replace rows that perhaps nobody has taken.`;
  return new AppError('RESULTS_EXIST', message, {
    hint: 'move that file away, or name another one with -o',
    exitCode: EXIT.usage,
  });
}

/** `a,b` and `--flag a --flag b` are the same; none: null. */
function wordsOf(values: readonly string[]): string[] | null {
  const words = values.flatMap((value) => value.split(',')).map((word) => word.trim());
  return words.length === 0 ? null : words.filter((word) => word !== '');
}

function resultsOf(words: readonly string[] | null): LeadResult[] | null {
  if (words === null) return null;
  return words.map((word) => {
    const result = LEAD_RESULTS.find((known) => known === word);
    if (result !== undefined) return result;
    const near = nearest(word, LEAD_RESULTS);
    const meant =
      near === undefined ? `there are ${LEAD_RESULTS.join(', ')}.` : `did you mean "${near}"?`;
    throw invalidFlag(`--only "${word}" is not a result; ${meant}`);
  });
}
