import { invalidFlag } from '../../config/hints.ts';
import { HOUR_MS } from '../../domain/time-units.ts';
import type { ListInput } from '../../app/plan/plan-lists.ts';
import { readChoice } from '../../leads/columns/column-choices.ts';
import type { Options, OptionValues } from './command.ts';

/** Options on how a list is read, for every command that takes a list. */
export const listOptions = {
  map: { type: 'texts', describe: 'which column holds what, e.g. --map phone="Mobile Phone"' },
  encoding: {
    type: 'text',
    describe: 'of the list, e.g. windows-1251; default found by its bytes',
  },
  sheet: { type: 'text', describe: 'of a workbook (.xlsx); default the first' },
  'as-of': { type: 'text', describe: 'the day that the list dates from, e.g. 2026-01-05' },
} as const satisfies Options;

type ListArgs = Partial<OptionValues<typeof listOptions>>;

/** @param now epoch ms @throws AppError `FLAG_INVALID` (exit 2) */
export function readListFlags(args: ListArgs, now: number): ListInput {
  return {
    choices: (args.map ?? []).map(readChoice),
    encoding: args.encoding,
    sheet: args.sheet,
    asOf: args.asOf === undefined ? null : readAsOf(args.asOf, now),
  };
}

/** The earliest time zone (Line Islands, Kiribati) is this far ahead of UTC. */
const FIRST_ZONE_MS = 14 * HOUR_MS;

/** The beginning of the day in UTC, epoch ms. Accepts a day as soon as it has begun in any time zone. */
function readAsOf(text: string, now: number): number {
  const day = readDay('--as-of', text);
  if (day - FIRST_ZONE_MS <= now) return day;
  const today = new Date(now).toISOString().slice(0, 10);
  throw invalidFlag(`--as-of "${text}" is still to come. Give today (${today}) or a day before.`);
}

/** The beginning of a day in UTC, epoch ms. @throws AppError `FLAG_INVALID` (exit 2) */
export function readDay(flag: string, text: string): number {
  if (isDay(text)) return Date.parse(`${text}T00:00:00Z`);
  throw invalidFlag(`${flag} "${text}" is not a day such as 2026-01-05.`);
}

/** True for a day that exists, e.g. `2026-01-05`; JavaScript alone would read February 31st as March 3rd. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
