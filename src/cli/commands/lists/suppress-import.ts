import { importSuppression } from '../../../app/suppression/import-suppression.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { withIso } from '../../../text/iso-times.ts';
import { defineCommand } from '../../args/command.ts';
import { listOptions, readListFlags } from '../../args/list-input.ts';
import { suppressedUntil, suppressOptions } from '../../args/suppress-options.ts';
import { interruptible } from '../../terminal/interruptible.ts';

export const suppressImport = defineCommand({
  arguments: { file: { describe: 'CSV, .gz, .zip, .xlsx, or -: stdin', required: true } },
  options: {
    ...suppressOptions,
    map: listOptions.map,
    encoding: listOptions.encoding,
    sheet: listOptions.sheet,
    'as-of': { type: 'text', describe: 'the day that the file dates from, e.g. 2026-01-05' },
    registry: {
      type: 'text',
      describe: 'the registry it is of, as rules name it, e.g. us-national',
    },
    areas: { type: 'text', describe: 'the area codes that it has, e.g. 212,305; default all' },
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
  run: interruptible(async (args, io) => {
    const { file, country, note, db } = args;
    const input = readListFlags(args, io.clock.now());
    const expiresAt = await suppressedUntil(args, io);
    const { registry, areas } = args;
    const request = { file, input, country, note, db, expiresAt, registry, areas };
    const { problems, ...done } = await importSuppression(request, io);
    const { asOf } = input;
    return {
      json: { ...done, ...withIso({ asOf }, ['asOf'], io.timezone), problems },
      code: done.unread > 0 ? EXIT.failed : EXIT.ok,
    };
  }),
});
