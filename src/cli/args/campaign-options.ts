import type { FlagsInput } from '../../config/flags.ts';
import type { PlanRequest } from '../../app/plan/plan.ts';
import type { Arguments, Options, OptionValues } from './command.ts';
import { readListFlags, type listOptions } from './list-input.ts';
import { databaseOptions, jsonOption, newDbOption, serviceOptions } from './options.ts';

/** Settings of a campaign as flags: the same keys as in a campaign file, over which the flags win. */
export const settingOptions = {
  agent: { type: 'text', describe: 'ID of the voice agent; see `callsheet agents list`' },
  name: { type: 'text', describe: "the campaign's name; default the list's or file's own" },
  country: { type: 'text', describe: 'country of numbers without +, e.g. US; default none' },
  concurrency: { type: 'text', describe: 'calls in progress at once; default 5' },
  pace: { type: 'text', describe: 'calls started at most, e.g. 60/min; default no limit' },
  requests: {
    type: 'text',
    describe: 'HTTP requests in flight; default as concurrency, at most 16',
  },
  rules: {
    type: 'text',
    describe: 'calling rules by name or path; local on live services, else always',
  },
  timezone: { type: 'text', describe: "zone of printed times; default the machine's" },
  output: {
    type: 'text',
    alias: 'o',
    describe: 'results file; default data/results/<name>.csv; -: stdout',
  },
  format: {
    type: 'text',
    describe: 'csv, excel, xlsx or jsonl; default by the ending of the file',
  },
  set: { type: 'texts', describe: 'any key of the campaign file, e.g. --set polling.floor=5s' },
} as const satisfies Options;

/** Options of every command that plans or makes calls. */
export const campaignOptions = {
  ...settingOptions,
  'skip-called': {
    type: 'text',
    describe:
      'leave out people whom another campaign called within that time: 30d, ever; default none',
  },
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

/** Arguments of commands that plan calls. */
export const planArguments = {
  list: {
    describe:
      'a list (CSV, .gz, .zip, .xlsx; -: stdin), a campaign file (.yaml), or the name of a campaign',
    required: true,
  },
} as const satisfies Arguments;

/** Those of the options above that a command has. */
export type CampaignArgs = Partial<OptionValues<typeof campaignOptions & typeof listOptions>>;

/**
 * The plan request that the arguments of a command describe.
 *
 * @param now epoch ms
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function planRequest(list: string, args: CampaignArgs, now: number): PlanRequest {
  const { service, serviceUrl, profile, keyFile, services, db, newDb } = args;
  const input = readListFlags(args, now);
  const where = { service, serviceUrl, profile, keyFile, services, db, newDb };
  return { list, ...where, given: givenIn(args), input };
}

/** The flags in the form that the configuration reads. */
export function givenIn(args: CampaignArgs): Omit<FlagsInput, 'cwd'> {
  const { agent, name, country, concurrency, pace, requests, rules, skipCalled, timezone } = args;
  return {
    sets: args.set,
    flags: {
      agent,
      name,
      country,
      concurrency,
      pace,
      requests,
      rules,
      skipCalled,
      timezone,
      service: args.service,
      'service.url': args.serviceUrl,
      'service.profile': args.profile,
      'results.file': args.output,
      'results.format': args.format,
    },
  };
}
