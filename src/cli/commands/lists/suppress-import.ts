import { resolve } from 'node:path';
import { numbersToSuppress } from '../../../leads/suppression-list.ts';
import { withIso } from '../../../text/iso-times.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { listOptions, readListFlags } from '../../args/list-input.ts';
import { printJson, say } from '../../terminal/output.ts';
import { grouped } from '../../../text/amounts.ts';
import { counted } from '../../../text/plural.ts';
import { through, withSuppression } from '../../../app/repair/suppress.ts';
import { interruptible } from '../../terminal/underway.ts';
import { keepStandardInput, STANDARD_INPUT } from '../../../app/places/standard-input.ts';
import { suppressedUntil, suppressOptions } from '../../args/suppress-options.ts';

const PROBLEMS_SHOWN = 5;

export const suppressImport = defineCommand({
  arguments: { file: { describe: 'CSV, .gz, .zip, .xlsx, or -: stdin', required: true } },
  options: {
    ...suppressOptions,
    map: listOptions.map,
    encoding: listOptions.encoding,
    sheet: listOptions.sheet,
    'as-of': { type: 'text', describe: 'the day for which the file is true, e.g. 2026-01-05' },
  },
  examples: [
    ['suppress import opt-outs.csv --country US', 'every number of every phone column'],
    ['suppress import 212.txt --as-of 2026-01-05', "the registry's file of an area code"],
  ],
  notes: `Nothing is taken off the list by it. A file of the United States' registry has the area code and seven digits
in two columns, and no names above. With --as-of it counts for \`suppression.maxAge\`: nobody is called by a campaign
with that setting while the newest file is older. All numbers that a cell may mean are suppressed. Exit 1 when cells
hold something and no number that can be read: they are named.`,
  run: interruptible(async (args, io) => {
    const { choices, encoding, sheet, asOf } = readListFlags(args, io.clock.now());
    const expiresAt = await suppressedUntil(args, io);
    return withSuppression('write', args, io, async (store) => {
      const kept = args.file === '-' ? await keepStandardInput(io) : undefined;
      try {
        const path = kept === undefined ? resolve(io.cwd, args.file) : STANDARD_INPUT;
        const options = { file: kept?.path ?? path, choices, encoding, sheet };
        const at = io.clock.now();
        const note = args.note === undefined ? path : `${path}: ${args.note}`;
        const total = { added: 0, known: 0, leads: 0, unread: 0 };
        const problems: { line: number; text: string }[] = [];
        const country = args.country ?? null;
        for await (const piece of numbersToSuppress(path, { ...options, country })) {
          const entries = piece.phones.map((phone) => {
            const more = piece.notes.get(phone);
            const said = more === undefined ? note : `${note}, ${more}`;
            return { phone, at, source: 'file', note: said, who: io.user, expiresAt } as const;
          });
          for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
            const answer = await store.suppress(entries.slice(from, from + ENTRIES_AT_ONCE));
            total.added += answer.added;
            total.known += answer.known;
            total.leads += answer.leads;
            io.underway.kept = `${counted(total.added + total.known, 'number')} of ${path} are on the suppression list`;
            io.underway.signal.throwIfAborted();
          }
          total.unread += piece.problems.length;
          problems.push(...piece.problems.slice(0, PROBLEMS_SHOWN - problems.length));
        }
        // Now that all of it is in: an import that was broken off makes no list newer.
        if (asOf !== null) {
          await store.addSuppressionFile({ path, asOf, at: io.clock.now(), who: io.user });
        }
        if (args.json)
          printJson(io, {
            file: path,
            ...total,
            ...withIso({ asOf }, ['asOf'], io.timezone),
            problems,
          });
        const { added, known, leads, unread } = total;
        const ended = leads === 0 ? '' : `; ${counted(leads, 'waiting lead')} ended by it`;
        say(
          io,
          `${path}: ${counted(added, 'number')} suppressed${through(expiresAt, io)}, ${grouped(known)} were already${ended}.`,
        );
        for (const { line, text } of problems) say(io, `  ${path}:${line}: ${text}`);
        if (unread > 0) say(io, `${counted(unread, 'cell')} without a number that can be read.`);
        return unread > 0 ? EXIT.failed : EXIT.ok;
      } finally {
        await kept?.remove();
      }
    });
  }),
});

/** The store takes no more at once. */
const ENTRIES_AT_ONCE = 1_000;
