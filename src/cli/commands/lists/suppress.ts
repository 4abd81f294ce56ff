import {
  importSuppression,
  suppressionList,
  suppressNumber,
  undoList,
  unsuppressNumber,
} from '../../../app/suppression/suppress.ts';
import { readUntil } from '../../../app/typed.ts';
import { EXIT } from '../../../runtime/errors.ts';
import {
  lifted,
  listUndone,
  suppressedNow,
  suppression,
  suppressionImported,
  type SuppressionEntry,
} from '../../../views/suppression.ts';
import { listOptions, readListFlags } from '../../args/campaign-options.ts';
import { defineCommand, type Options } from '../../args/command.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import type { CommandIo } from '../../io.ts';
import { interruptible } from '../../terminal/stop.ts';

/** Options for an entry of the suppression list. */
const suppressOptions = {
  note: { describe: 'why, for those who look it up' },
  until: {
    describe: 'the last day on which it holds, e.g. 2026-07-01; default for good',
  },
  country: { describe: 'country of numbers without +, e.g. US; default none' },
  ...databaseOptions,
  ...jsonOption,
} as const satisfies Options;

/** The end of the day that `--until` names; null: for good. @throws AppError those of `readUntil` */
async function suppressedUntil(
  { until }: { until?: string | undefined },
  io: Pick<CommandIo, 'clock' | 'timezone'>,
): Promise<number | null> {
  return until === undefined ? null : readUntil('--until', until, io);
}

export const add = defineCommand({
  arguments: { number: { describe: 'the number, with + and country code', required: true } },
  options: suppressOptions,
  examples: [
    ["suppress add +12125550123 --note 'asked by mail'", 'for good'],
    ['suppress add +12125550123 --until 2026-07-01', 'through the end of that day'],
  ],
  notes: `It holds for all campaigns of the database from this moment on, also for those that are running: leads that
wait end as suppressed. A call that is on the line already ends by itself. If a number can be read in two ways,
with its country code in front or without, both are suppressed, and so are all of several numbers.`,
  tooMany:
    'give one number; several go in by a file: `callsheet suppress import FILE`, and options are in `callsheet suppress add --help`',
  json: suppressedNow,
  run: async (args, io) => ({
    json: await suppressNumber(args, await suppressedUntil(args, io), io),
  }),
});

export const remove = defineCommand({
  arguments: { number: { describe: 'the number, with + and country code', required: true } },
  options: { country: suppressOptions.country, note: suppressOptions.note, ...databaseOptions },
  examples: [
    ["suppress remove +12125550123 --note 'gave consent again'", 'it may be called again'],
  ],
  notes: `Leads that ended as suppressed stay so; import the person into a new campaign to call them.`,
  json: lifted,
  run: async (args, io) => ({ json: await unsuppressNumber(args, io) }),
});

export const list = defineCommand({
  arguments: { number: { describe: 'only this number' } },
  options: { country: suppressOptions.country, ...databaseOptions },
  examples: [
    ['suppress list', 'all of them'],
    ['suppress list +12125550123', 'is this one on it, and why'],
  ],
  json: suppression,
  run: async (args, io) => {
    const { only, list } = await suppressionList(args, io);
    const none = only === null ? 'No number is suppressed.' : `${only} is not suppressed.`;
    const ages = list.files.map(({ text }) => `A file ${text}.`);
    const rows = list.items.map(toRow);
    return {
      json: list,
      table: rows.length === 0 ? undefined : [HEADERS, rows],
      hints: [...(only === null ? ages : []), ...(rows.length === 0 ? [none] : [])],
    };
  },
});

const HEADERS = ['number', 'since', 'until', 'by', 'note'];

function toRow({ phone, at, lastDay, source, who, note }: SuppressionEntry) {
  const by = source === 'operator' || source === 'file' ? `${source} (${who})` : source;
  return [phone, at.slice(0, 'yyyy-mm-dd'.length), lastDay, by, note];
}

export const suppressImport = defineCommand({
  arguments: { file: { describe: 'CSV, .gz, .zip, .xlsx, or -: stdin', required: true } },
  options: {
    ...suppressOptions,
    map: listOptions.map,
    encoding: listOptions.encoding,
    sheet: listOptions.sheet,
    'as-of': { describe: 'the day that the file dates from, e.g. 2026-01-05' },
    registry: {
      describe: 'the registry it is of, as rules name it, e.g. us-national',
    },
    areas: { describe: 'the area codes that it has, e.g. 212,305; default all' },
  },
  examples: [
    ['suppress import opt-outs.csv --country US', 'every number of every phone column'],
    [
      'suppress import 212.txt --registry us-national --areas 212 --as-of 2026-01-05',
      "the registry's file of an area code",
    ],
  ],
  notes: `Nothing is taken off the list by it. A file of the United States' registry has the area code and seven digits
in two columns, and no names above. With --as-of it counts for \`suppression.maxAge\`: nobody is called by a campaign
with that setting while the newest file is older. A rule with an age of lists names its registry: only files with that
name in --registry count for it, where a registry is sold by area for the areas in --areas. All numbers that a cell may mean are suppressed. Exit 1 when cells
hold something and no number that can be read: they are named.`,
  json: suppressionImported,
  run: interruptible(async (args, io) => {
    const { file, country, note, db } = args;
    const input = readListFlags(args, io.clock.now());
    const expiresAt = await suppressedUntil(args, io);
    const { registry, areas } = args;
    const request = { file, input, country, note, db, expiresAt, registry, areas };
    const done = await importSuppression(request, io);
    return { json: done, code: done.unread > 0 ? EXIT.failed : EXIT.ok };
  }),
});

export const suppressUndo = defineCommand({
  options: {
    list: {
      describe: 'the list, by its path or its file name',
      required: true,
    },
    note: { describe: 'why, for the history of each number' },
    yes: {
      type: 'switch',
      describe: 'take them off without asking; needed without a terminal',
    },
    ...databaseOptions,
    ...jsonOption,
  },
  examples: [
    ['suppress undo --list march.csv', 'shows how many numbers, and asks'],
    ["suppress undo --list march.csv --yes --note 'wrong column'", 'without asking'],
  ],
  notes: `For a list whose columns were read wrongly. Entries of other lists, of files, of people and of the service stay.
The history of each number keeps both entries. Lists that were imported before callsheet kept their names cannot be
undone. Leads that ended as suppressed stay so; import the people into a new campaign to call them.`,
  json: listUndone,
  run: async (args, io) => ({ json: await undoList(args, io) }),
});
