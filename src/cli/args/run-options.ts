import type { FlagsInput } from '../../config/flags.ts';
import type { Options } from './command.ts';
import type { ListFlags } from './list-input.ts';
import { databaseOptions, jsonOption, serviceOptions } from './options.ts';

/** What a campaign can be told by flags; the same keys as in its file, and stronger. */
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
  rules: { type: 'text', describe: 'calling rules; always: no hours, no caps (only ones so far)' },
  timezone: { type: 'text', describe: "zone of printed times; default the machine's" },
  output: {
    type: 'text',
    alias: 'o',
    describe: 'results file; default data/results/<name>.csv; -: stdout',
  },
  format: { type: 'text', describe: 'csv or jsonl; default by the ending of the file' },
  set: { type: 'texts', describe: 'any key of the campaign file, e.g. --set polling.floor=5s' },
} as const satisfies Options;

/** What every command has that plans or makes calls. */
export const campaignOptions = {
  ...settingOptions,
  'skip-called': {
    type: 'text',
    describe:
      'leave out whom another campaign has called within that time: 30d, ever; default none',
  },
  ...serviceOptions,
  ...databaseOptions,
  ...jsonOption,
} as const satisfies Options;

/** Of commands that may bring a list to be called that another campaign has called. */
export const againOption = {
  again: {
    type: 'switch',
    describe: 'call a list that another campaign has, too; needed without a terminal',
  },
} as const satisfies Options;

export type CampaignFlags = {
  [K in Exclude<keyof typeof campaignOptions, 'set' | 'json'>]?: string | undefined;
} & { set: string[]; json: boolean } & ListFlags;

/** The flags as the configuration reads them. */
export function settingFlags(flags: CampaignFlags, cwd: string): FlagsInput {
  return {
    cwd,
    sets: flags.set,
    flags: {
      agent: flags.agent,
      name: flags.name,
      country: flags.country,
      concurrency: flags.concurrency,
      pace: flags.pace,
      requests: flags.requests,
      rules: flags.rules,
      skipCalled: flags['skip-called'],
      timezone: flags.timezone,
      service: flags.service,
      'service.url': flags['service-url'],
      'service.profile': flags.profile,
      'results.file': flags.output,
      'results.format': flags.format,
    },
  };
}
