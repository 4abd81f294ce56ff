import { zonedTime } from '../../text/times.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import { shortHash } from '../../runtime/random.ts';
import type { Options } from './command.ts';
import type { Io, Messages } from '../io.ts';
import { LogFile, logFilePath } from '../terminal/log-file.ts';
import { invalidFlag } from '../../config/campaign-file.ts';

/** For commands that run for hours, often unattended. */
export const messageOptions = {
  quiet: {
    type: 'switch',
    describe:
      'only problems and the end; without a terminal, the end only where the exit code is not 0 or 3',
  },
  'log-file': {
    type: 'text',
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
 * @throws AppError `FLAG_INVALID`, and those of `LogFile` (exit 2)
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
  const tellHeaded = (sentence: string) => {
    tell(headed(sentence));
  };
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
