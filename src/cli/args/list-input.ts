import { invalidFlag } from '../../config/hints.ts';
import { HOUR_MS } from '../../domain/time-units.ts';
import type { ListInput } from '../../app/plan/plan-lists.ts';
import { readChoice } from '../../leads/columns/column-choices.ts';
import type { Options, OptionValues } from './command.ts';

/** How a list is to be read, for every command that takes one. */
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

/** Kiribati's Line Islands begin a day so much before UTC does. */
const FIRST_ZONE_MS = 14 * HOUR_MS;

/** As the beginning of the day in UTC, epoch ms: today, also where the list comes from, or before. */
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

/** `2026-01-05`; JavaScript would take February 31st for March 3rd. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
