import type { ListInput } from '../../app/plan/plan-lists.ts';
import { readAsOf } from '../../app/typed-day.ts';
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
    asOf: args.asOf === undefined ? null : readAsOf('--as-of', args.asOf, now),
  };
}
