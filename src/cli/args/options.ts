import { invalidFlag } from '../../config/campaign-file.ts';
import { SETTING_ROWS, settingWords, type SettingFlag } from '../../config/table/settings-table.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import { createLog, LOG_LEVELS, type Log, type LogLevel } from '../../runtime/log.ts';
import { shortHash } from '../../runtime/random.ts';
import { zonedTime } from '../../text/times.ts';
import type { Io, Messages } from '../io.ts';
import { LogFile, logFilePath } from '../terminal/log-file.ts';
import { logStream } from '../terminal/terminal.ts';
import type { CommonArgs, Options } from './command.ts';

/** For commands that print data on stdout. A command that shows it before its own options names it itself. */
export const jsonOption = {
  json: { type: 'switch', describe: 'print JSON to stdout; errors are JSON on stderr' },
} as const satisfies Options;

/** Options of every command. */
export const commonOptions = {
  ...jsonOption,
  'log-level': {
    describe: 'how much of the log to write to stderr',
    choices: LOG_LEVELS,
    default: 'warn',
  },
} as const satisfies Options;

/** For every command that uses the database. */
export const databaseOptions = {
  db: {
    describe:
      'the database; default CALLSHEET_DB, else data/callsheet.db (data/simulated.db for simulated)',
  },
  'db-password-file': {
    describe: 'file with the password of a database on a server; default PGPASSWORD or ~/.pgpass',
  },
  journal: {
    describe:
      "folder on a disk for this machine's dial journal of a database on a server; default its folder in data/",
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
    return [[flag, { describe, ...(alias !== undefined && { alias }) }]];
  }),
) as { [F in SettingFlag]: { describe: string } };
const { service, 'service-url': url, profile, ...others } = FLAGS;

/** The flags of settings but those of the service. */
export const settingFlags = others;

/** For every command that sends requests to the service. */
export const serviceOptions = {
  service,
  'service-url': url,
  profile,
  'key-file': { describe: 'file that holds the API key; default: the environment' },
  services: {
    describe: 'the file that names services; default campaigns/services.yaml',
  },
} as const satisfies Options;

export function logOf(args: CommonArgs, io: Io): Log {
  const of = io.messages === undefined ? null : { run: io.messages.id };
  return createLog(args.logLevel as LogLevel, logStream(io), of);
}

/** The whole number in a flag's text. @throws AppError `FLAG_INVALID` (exit 2), naming the bounds */
export function wholeNumber(
  flag: string,
  text: string,
  { min, max }: { min: number; max: number },
): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw invalidFlag(`${flag} "${text}" is not a whole number from ${min} to ${max}.`);
}

/** The number above 0 in a flag's text, e.g. `0.5`. @throws AppError `FLAG_INVALID` (exit 2) */
export function positiveNumber(flag: string, text: string): number {
  const number = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw invalidFlag(`${flag} "${text}" is not a number above 0.`);
}

/** For commands that run for hours, often unattended. */
export const messageOptions = {
  quiet: {
    type: 'switch',
    describe:
      'only problems and the end; without a terminal, the end only where the exit code is not 0 or 3',
  },
  'log-file': {
    describe:
      'append all messages and the log to this file, with their time; {date} in its name: the day',
  },
  'log-time': {
    type: 'switch',
    describe: 'the time at the start of each line; default without a terminal',
  },
  'no-log-time': { type: 'switch', describe: 'no time at the start of lines' },
} as const satisfies Options;

/**
 * @param flags a command's flags, including those of `messageOptions`
 * @param rolls true: a log file with the day in its name is replaced at midnight by that of the new day; false: never
 * @param tell prints a sentence on stderr only
 */
export function messagesOf(
  flags: Readonly<Record<string, unknown>>,
  rolls: boolean,
  tell: (sentence: string) => void,
  io: Io,
): Messages {
  const path = flags['logFile'] as string | undefined;
  if (flags['logTime'] === true && flags['noLogTime'] === true)
    throw invalidFlag('--log-time and --no-log-time contradict each other; give one of them.');
  const id = shortHash([io.newId('run')], 6);
  const isoOf = zonedTime(io.timezone);
  const now = () => isoOf(io.clock.now());
  const today = () => now().slice(0, 'yyyy-mm-dd'.length);
  const begunOn = today();
  const day = () => (rolls ? today() : begunOn);
  const hasTime = flags['noLogTime'] !== true && (flags['logTime'] === true || io.logTime);
  const quiet = flags['quiet'] === true;
  let mayAsk = flags['yes'] === false && io.stdinIsTty && io.stderrIsTty;
  const withTime = (lines: string) => lines.replaceAll(/^(?=.)/gm, `${now()} [${id}] `);
  const headed = (lines: string) => (hasTime ? withTime(lines) : lines);
  const tellHeaded = (sentence: string) => tell(headed(sentence));
  const file =
    path === undefined
      ? undefined
      : new LogFile(logFilePath(path, io.cwd), begunOn, tellHeaded, io);
  return {
    id,
    quiet,
    begun: () => (mayAsk = false),
    shows: (kind, code = EXIT.ok) => {
      if (!quiet || mayAsk || kind === 'problem') return true;
      return kind === 'end' && (io.stderrIsTty || !isNormal(code));
    },
    headed,
    keep: (lines) => file?.append(day(), `${withTime(lines)}\n`),
    get file() {
      return file?.pathOn(day());
    },
    restOf: (code) =>
      file === undefined || !quiet || isNormal(code)
        ? undefined
        : headed(`All messages of run ${id} are in ${file.pathOn(day())}.`),
  };
}

/** True for exit codes that are normal at night: every lead is final, or some wait for later. */
function isNormal(code: ExitCode): boolean {
  return code === EXIT.ok || code === EXIT.waiting;
}
