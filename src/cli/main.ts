import { EXIT } from '../runtime/errors.ts';
import type { ExitCode } from '../runtime/errors.ts';
import type { CommandRow, Options } from './command.ts';
import { COMMANDS } from './commands.ts';
import { wantsColour } from './colour.ts';
import { findCommand } from './find-command.ts';
import { helpText, overview, version } from './help.ts';
import { homeOf, homeSentence } from './home.ts';
import type { CommandIo, Io } from './io.ts';
import { printProblem, say } from './output.ts';
import { put, watchForBrokenPipe } from './terminal.ts';

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
  const colour = wantsColour(io) && !argv.includes('--json');
  const broken = watchForBrokenPipe(io);
  try {
    const code = await untilLeft((leave) => dispatch(argv, { ...io, db, colour, leave }, commands));
    if (broken.error !== undefined) throw broken.error;
    return code;
  } catch (error) {
    return printProblem({ ...io, db, colour }, error, {
      json: argv.includes('--json'),
      debug: wantsDebug(argv),
    });
  }
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
): Promise<ExitCode> {
  const options = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
  const wantsHelp = options.some((word) => word === '--help' || word === '-h');
  const [first = ''] = argv;
  if (wantsHelp) {
    put(io, 'out', await helpText(argv.slice(0, argv.findIndex(isFlag)), commands));
    return EXIT.ok;
  }
  if (first === '') {
    // Nothing was asked for: the help is the message, not the data.
    put(io, 'err', overview(commands));
    return EXIT.usage;
  }
  if (first === '--version') {
    put(io, 'out', `${version()}\n`);
    return EXIT.ok;
  }
  const row = findCommand(argv, commands);
  const [command, { parseArgs }] = await Promise.all([row.load(), import('./parse.ts')]);
  const args = await parseArgs(row, command, argv.slice(row.name.split(' ').length));
  sayHome(command.options, args, io);
  return command.run(args, io, commands);
}

/** Which folder is meant is said before anything is done there. */
function sayHome(options: Options, args: Record<string, unknown>, io: Io): void {
  const usesData =
    'db' in options && args['db'] === undefined && (io.env['CALLSHEET_DB'] ?? '') === '';
  const usesCampaigns = 'services' in options && args['services'] === undefined;
  if (!usesData && !usesCampaigns) return;
  const looksFor = usesData ? (usesCampaigns ? 'data/ and campaigns/' : 'data/') : 'campaigns/';
  const sentence = homeSentence(homeOf(io), io.cwd, looksFor);
  if (sentence !== undefined) say(io, sentence);
}

function isFlag(word: string): boolean {
  return word.startsWith('-');
}

function databaseIn(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === '--db' || word.startsWith('--db='));
  if (at < 0) return undefined;
  return argv[at]?.startsWith('--db=') ? argv[at].slice('--db='.length) : argv[at + 1];
}

function wantsDebug(argv: readonly string[]): boolean {
  return argv.some(
    (word, index) =>
      word === '--log-level=debug' || (word === '--log-level' && argv[index + 1] === 'debug'),
  );
}
