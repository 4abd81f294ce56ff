import { nearest } from '../config/nearest.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { ExitCode } from '../runtime/errors.ts';
import type { CommandRow } from './command.ts';
import { COMMANDS } from './commands.ts';
import { overview, version } from './help.ts';
import type { CommandIo, Io } from './io.ts';
import type { Messages } from './messages.ts';
import { printProblem, say } from './output.ts';
import { hangUp, put, watchForBrokenPipe } from './terminal.ts';

/**
 * The whole command line: finds the command, reads its arguments, runs it. Never throws and never ends the
 * process; every error is printed here and becomes the exit code.
 *
 * @param argv the words after `callsheet`
 * @param commands the command table; another one in tests only
 */
export async function main(
  argv: readonly string[],
  io: Io,
  commands: readonly CommandRow[] = COMMANDS,
): Promise<ExitCode> {
  const db = databaseIn(argv);
  const broken = watchForBrokenPipe(io);
  const onSignal: Io['onSignal'] = (listener) =>
    io.onSignal((signal) => {
      if (signal === 'SIGHUP') hangUp(io);
      listener(signal);
    });
  let messages: Messages | undefined;
  try {
    const code = await untilLeft((leave) =>
      dispatch(argv, { ...io, db, onSignal, leave }, commands, (found) => (messages = found)),
    );
    if (broken.error !== undefined) throw broken.error;
    sayRest(messages, code, io);
    return code;
  } catch (error) {
    const code = printProblem({ ...io, db, messages }, error, {
      json: argv.includes('--json'),
      debug: wantsDebug(argv),
    });
    sayRest(messages, code, io);
    return code;
  }
}

function sayRest(messages: Messages | undefined, code: ExitCode, io: Io): void {
  const rest = messages?.restOf(code);
  if (rest !== undefined) say(io, rest);
}

/** A command that leaves is not waited for: requests in flight would hold it up for half a minute. */
async function untilLeft(
  work: (leave: (code: ExitCode) => void) => Promise<ExitCode>,
): Promise<ExitCode> {
  let leave: (code: ExitCode) => void = () => undefined;
  const left = new Promise<ExitCode>((resolve) => {
    leave = resolve;
  });
  return Promise.race([work(leave), left]);
}

async function dispatch(
  argv: readonly string[],
  io: CommandIo,
  commands: readonly CommandRow[],
  onMessages: (messages: Messages | undefined) => void,
): Promise<ExitCode> {
  const options = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
  const wantsHelp = options.some((word) => word === '--help' || word === '-h');
  const [first = ''] = argv;
  if (first === '' || (first.startsWith('-') && wantsHelp)) {
    // Nothing was asked for: the help is the message, not the data.
    put(io, wantsHelp ? 'out' : 'err', overview(commands));
    return wantsHelp ? EXIT.ok : EXIT.usage;
  }
  if (first === '--version') {
    put(io, 'out', `${version()}\n`);
    return EXIT.ok;
  }
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (wantsHelp && family.length > 0 && (argv[1] ?? '-').startsWith('-')) {
    put(io, 'out', overview(family));
    return EXIT.ok;
  }
  const row = findCommand(argv, commands);
  const [command, { helpOf, parseArgs }] = await Promise.all([row.load(), import('./parse.ts')]);
  if (wantsHelp) {
    put(io, 'out', `${await helpOf(row, command)}\n`);
    return EXIT.ok;
  }
  const words = argv.slice(row.name.split(' ').length);
  const args = await parseArgs(row, command, words);
  if (!('log-file' in args)) return command.run(args, io);
  const { messagesOf } = await import('./message-options.ts');
  const messages = messagesOf(
    args,
    row.name === 'serve',
    (sentence) => {
      say(io, sentence);
    },
    io,
  );
  onMessages(messages);
  return command.run(args, { ...io, messages });
}

function findCommand(argv: readonly string[], commands: readonly CommandRow[]): CommandRow {
  const [first = '', second = ''] = argv;
  const row = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (row !== undefined) return row;
  const hint = 'see `callsheet --help`';
  if (first.startsWith('-')) {
    const message = `The command comes first, then its options: "${first}" is none.`;
    throw new AppError('USAGE', message, { exitCode: EXIT.usage, hint });
  }
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  const names = (family.length > 0 ? family : commands).map(({ name }) => name);
  const asked = family.length > 0 && !second.startsWith('-') ? `${first} ${second}`.trim() : first;
  const near = nearest(asked, names);
  const meant =
    near !== undefined
      ? `did you mean "${near}"?`
      : family.length > 0
        ? `there are ${names.join(', ')}.`
        : 'nothing was done.';
  const message = `"${asked}" is not a command; ${meant}`;
  throw new AppError('USAGE', message, { exitCode: EXIT.usage, hint });
}

function databaseIn(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === '--db' || word.startsWith('--db='));
  if (at < 0) return undefined;
  return argv[at]?.startsWith('--db=') ? argv[at].slice('--db='.length) : argv[at + 1];
}

/** Of errors that nobody has foreseen. */
export function wantsStacks(argv: readonly string[]): boolean {
  return wantsDebug(argv) || argv.some((word) => /^--log-file(=|$)/.test(word));
}

function wantsDebug(argv: readonly string[]): boolean {
  return argv.some(
    (word, index) =>
      word === '--log-level=debug' || (word === '--log-level' && argv[index + 1] === 'debug'),
  );
}
