import type { ListInput } from '../../app/plan/plan-lists.ts';
import type { PlanRequest } from '../../app/plan/plan.ts';
import { readAsOf } from '../../app/typed.ts';
import type { FlagsInput } from '../../config/campaign-file.ts';
import { SETTING_ROWS } from '../../config/table/settings-table.ts';
import { readChoice } from '../../leads/columns/column-choices.ts';
import { usageError } from '../../runtime/errors.ts';
import { shellWord } from '../../text/wording.ts';
import type { CommandIo } from '../io.ts';
import type { Arguments, Options, OptionValues } from './command.ts';
import {
  databaseOptions,
  jsonOption,
  newDbOption,
  serviceOptions,
  settingFlags,
} from './options.ts';

/** Options on how a list is read, for every command that takes a list. */
export const listOptions = {
  map: { type: 'texts', describe: 'which column holds what, e.g. --map phone="Mobile Phone"' },
  encoding: {
    describe: 'of the list, e.g. windows-1251; default found by its bytes',
  },
  sheet: { describe: 'of a workbook (.xlsx); default the first' },
  'as-of': { describe: 'the day that the list dates from, e.g. 2026-01-05' },
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

/** Settings of a campaign as flags: the same keys as in a campaign file, over which the flags win. */
export const settingOptions = {
  ...settingFlags,
  set: { type: 'texts', describe: 'any key of the campaign file, e.g. --set polling.floor=5s' },
} as const satisfies Options;

/** Options of every command that plans or makes calls. */
export const campaignOptions = {
  ...settingOptions,
  ...serviceOptions,
  ...databaseOptions,
  ...newDbOption,
  ...jsonOption,
} as const satisfies Options;

/** Options of commands that may call a list that another campaign has already called. */
export const againOption = {
  again: {
    type: 'switch',
    describe: 'call a list that another campaign has, too; needed without a terminal',
  },
} as const satisfies Options;

/** Options of commands that plan a list for a campaign that has another one. */
export const addOption = {
  add: { type: 'switch', describe: 'let the new rows of a changed list join the campaign' },
} as const satisfies Options;

/** Arguments of commands that plan calls. */
export const planArguments = {
  list: {
    describe:
      'a list (CSV, .gz, .zip, .xlsx; -: stdin), a campaign file (.yaml), or the name of a campaign',
    required: true,
  },
} as const satisfies Arguments;

/** The error for a command whose campaign does not come first. @param words of the command that was meant */
export const swapped = (words: readonly string[]) =>
  usageError(
    'USAGE',
    'The words are swapped: the campaign comes first.',
    `\`callsheet ${words.map(shellWord).join(' ')}\``,
  );

/** Those of the options above that a command has. */
type CampaignArgs = Partial<OptionValues<typeof campaignOptions & typeof listOptions>>;

/**
 * The plan request that the arguments of a command describe.
 *
 * @param now epoch ms
 */
export function planRequest(list: string, args: CampaignArgs, now: number): PlanRequest {
  const { service, serviceUrl, profile, keyFile, services, db, newDb } = args;
  const input = readListFlags(args, now);
  const where = { service, serviceUrl, profile, keyFile, services, db, newDb };
  return { list, ...where, given: givenIn(args), input };
}

/** The flags in the form that the configuration reads. */
export function givenIn(args: CampaignArgs): Omit<FlagsInput, 'cwd'> {
  const typed = args as Readonly<Record<string, string | undefined>>;
  const flags = SETTING_ROWS.flatMap(([key, { flag }]) => {
    const name = flag?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return name === undefined ? [] : [[key, typed[name]]];
  });
  return { sets: args.set, flags: Object.fromEntries(flags) as FlagsInput['flags'] };
}

/** `--at`: when a campaign would begin, as a function of its timezone; undefined: it was not given. */
export function beginAt(
  at: string | undefined,
  io: CommandIo,
): ((timezone: string) => Promise<number>) | undefined {
  if (at === undefined) return undefined;
  return async (timezone) => {
    // The library of wall clocks is imported only here, because most commands do not need it.
    const { timeToday } = await import('./moments.ts');
    return timeToday('--at', at, io.clock.now(), timezone);
  };
}
