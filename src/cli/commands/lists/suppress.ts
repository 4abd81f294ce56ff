import { ageText } from '../../../app/suppression/suppression-age.ts';
import {
  suppressionList,
  suppressNumber,
  unsuppressNumber,
} from '../../../app/suppression/suppress.ts';
import { lastDayOf } from '../../../app/suppression/suppression-store.ts';
import type { NewSuppression } from '../../../store/port.ts';
import { withIso } from '../../../text/iso-times.ts';
import { localTime } from '../../../text/local-time.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import { suppressedUntil, suppressOptions } from '../../args/suppress-options.ts';

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
  run: async (args, io) => {
    const expiresAt = await suppressedUntil(args, io);
    const done = await suppressNumber(args, expiresAt, io);
    const until = expiresAt === null ? null : new Date(expiresAt).toISOString();
    return { json: { ...done, until } };
  },
});

export const remove = defineCommand({
  arguments: { number: { describe: 'the number, with + and country code', required: true } },
  options: { country: suppressOptions.country, note: suppressOptions.note, ...databaseOptions },
  examples: [
    ["suppress remove +12125550123 --note 'gave consent again'", 'it may be called again'],
  ],
  notes: `Leads that ended as suppressed stay so; import the person into a new campaign to call them.`,
  run: async (args, io) => ({ json: await unsuppressNumber(args, io) }),
});

export const list = defineCommand({
  arguments: { number: { describe: 'only this number' } },
  options: { country: suppressOptions.country, ...databaseOptions },
  examples: [
    ['suppress list', 'all of them'],
    ['suppress list +12125550123', 'is this one on it, and why'],
  ],
  run: async (args, io) => {
    const { timezone } = io;
    const { only, entries, files } = await suppressionList(args, io);
    if (args.json)
      return { json: entries.map((entry) => withIso(entry, ['at', 'expiresAt'], timezone)) };
    const none = only === null ? 'No number is suppressed.' : `${only} is not suppressed.`;
    const ages = files.map((file) => `A file ${ageText(file, io.clock.now())}.`);
    const rows = entries.map((entry) => toRow(entry, timezone));
    return {
      table: rows.length === 0 ? undefined : [HEADERS, rows],
      hints: [...(only === null ? ages : []), ...(rows.length === 0 ? [none] : [])],
    };
  },
});

const HEADERS = ['number', 'since', 'until', 'by', 'note'];

function toRow({ phone, at, expiresAt, source, who, note }: NewSuppression, timezone: string) {
  const by = source === 'operator' || source === 'file' ? `${source} (${who})` : source;
  const since = localTime(at, timezone).slice(0, 10);
  return [phone, since, expiresAt === null ? null : lastDayOf(expiresAt, timezone), by, note];
}
