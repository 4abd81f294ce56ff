import type { ZodType } from 'zod';
import { invalidFlag } from '../../config/campaign-file.ts';
import { SETTING_ROWS, settingWords, type SettingFlag } from '../../config/table/settings-table.ts';
import { createLog, LOG_LEVELS, type Log, type LogLevel } from '../../runtime/log.ts';
import type { CommonArgs, Options } from './command.ts';
import type { Io } from '../io.ts';
import { logStream } from '../terminal/terminal.ts';

/** For commands that print data on stdout. A command that shows it before its own options names it itself. */
export const jsonOption = {
  json: { type: 'switch', describe: 'print JSON to stdout; errors are JSON on stderr' },
} as const satisfies Options;

/** Options of every command. */
export const commonOptions = {
  ...jsonOption,
  'log-level': {
    type: 'text',
    describe: 'how much of the log to write to stderr',
    choices: LOG_LEVELS,
    default: 'warn',
  },
} as const satisfies Options;

/** For every command that uses the database. */
export const databaseOptions = {
  db: {
    type: 'text',
    describe:
      'the database; default CALLSHEET_DB, else data/callsheet.db (data/simulated.db for simulated)',
  },
} as const satisfies Options;

/** For every command that calls people. */
export const newDbOption = {
  'new-db': { type: 'switch', describe: 'begin a new database if there is none at that path' },
} as const satisfies Options;

/** Every flag that sets a setting, from the table of settings. */
const FLAGS = Object.fromEntries(
  SETTING_ROWS.flatMap(([, row]) => {
    const { flag, alias, byDefault } = row;
    if (flag === undefined) return [];
    const describe = `${settingWords(row)}; default ${byDefault}`;
    return [[flag, { type: 'text', describe, ...(alias !== undefined && { alias }) }]];
  }),
) as { [F in SettingFlag]: { type: 'text'; describe: string } };
const { service, 'service-url': url, profile, ...others } = FLAGS;

/** The flags of settings but those of the service. */
export const settingFlags = others;

/** For every command that sends requests to the service. */
export const serviceOptions = {
  service,
  'service-url': url,
  profile,
  'key-file': { type: 'text', describe: 'file that holds the API key; default: the environment' },
  services: {
    type: 'text',
    describe: 'the file that names services; default campaigns/services.yaml',
  },
} as const satisfies Options;

export function logOf(args: CommonArgs, io: Io): Log {
  const of = io.messages === undefined ? null : { run: io.messages.id };
  return createLog(args.logLevel as LogLevel, logStream(io), of);
}

/**
 * Reads a flag's text by the schema of a field in the configuration files.
 *
 * @param shown the text in the message, if `text` holds something secret
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function readField<T>(flag: string, field: ZodType<T>, text: string, shown = text): T {
  const { data, error } = field.safeParse(text);
  if (error === undefined) return data;
  throw invalidFlag(`${flag} "${shown}" ${error.issues[0]?.message ?? 'is not allowed'}.`);
}

/**
 * The whole number in a flag's text.
 *
 * @throws AppError `FLAG_INVALID` (exit 2), naming the bounds
 */
export function wholeNumber(
  flag: string,
  text: string,
  { min, max }: { min: number; max: number },
): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw invalidFlag(`${flag} "${text}" is not a whole number from ${min} to ${max}.`);
}

/**
 * The number above 0 in a flag's text, e.g. `0.5`.
 *
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function positiveNumber(flag: string, text: string): number {
  const number = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw invalidFlag(`${flag} "${text}" is not a number above 0.`);
}
