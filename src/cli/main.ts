import { EXIT, type ExitCode } from '../runtime/errors.ts';
import { isServerUrl } from '../runtime/server-url.ts';
import type { CommandRow, CommonArgs, Options } from './args/command.ts';
import { COMMANDS } from './commands.ts';
import { hangUp, put, wantsColour, watchForBrokenPipe } from './terminal/terminal.ts';
import { dailyOverview, findCommand, helpText, version } from './args/help.ts';
import type { CommandIo, Io, Messages } from './io.ts';

/**
 * The whole command line: finds the command, reads its arguments, runs it. Never throws and never ends the
 * process; every error is printed here and becomes the exit code.
 *
 * @param argv the words after `callsheet`
 * @param commands the command table; tests pass another one
 */
export async function main(
  argv: readonly string[],
  io: Io,
  commands: readonly CommandRow[] = COMMANDS,
): Promise<ExitCode> {
  const named = {
    db: typedValue('--db', argv),
    dbPasswordFile: typedValue('--db-password-file', argv),
    journal: typedValue('--journal', argv),
    services: typedValue('--services', argv),
  };
  const colour = wantsColour(io) && !argv.includes('--json');
  const broken = watchForBrokenPipe(io);
  const onSignal: Io['onSignal'] = (listener) =>
    io.onSignal((signal) => {
      if (signal === 'SIGHUP') hangUp(io);
      listener(signal);
    });
  let messages: Messages | undefined;
  let code: ExitCode;
  try {
    // A command that calls `leave` is not waited for: requests in flight could delay the exit by half a minute.
    code = await new Promise<ExitCode>((leave, fail) => {
      const onMessages = (found: Messages | undefined) => (messages = found);
      const commandIo = { ...io, ...named, colour, onSignal, leave };
      dispatch(argv, commandIo, commands, onMessages).then(leave, fail);
    });
    if (broken.error !== undefined) throw broken.error;
  } catch (error) {
    const { printProblem } = await import('./terminal/output.ts');
    code = printProblem({ ...io, ...named, colour, messages }, error, {
      json: argv.includes('--json'),
      debug: wantsDebug(argv),
    });
  }
  const rest = messages?.restOf(code);
  if (rest !== undefined) (await import('./terminal/output.ts')).say(io, rest);
  return code;
}

async function dispatch(
  argv: readonly string[],
  io: Io & Pick<CommandIo, 'leave'>,
  commands: readonly CommandRow[],
  onMessages: (messages: Messages | undefined) => void,
): Promise<ExitCode> {
  const options = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
  const wantsHelp = options.some((word) => word === '--help' || word === '-h');
  const [first = ''] = argv;
  // The script that `callsheet completion` prints asks so. A person who presses Tab does not expect an error message.
  if (first === '--get-yargs-completions') {
    const [{ completions }, { withOperator }] = await Promise.all([
      import('./commands/begin/help.ts'),
      import('./terminal/stop.ts'),
    ]);
    const found = await completions(argv.slice(1), commands, withOperator(io)).catch(() => []);
    put(io, 'out', found.map((word) => `${word}\n`).join(''));
    return EXIT.ok;
  }
  if (wantsHelp) {
    put(
      io,
      'out',
      await helpText(
        argv.slice(
          0,
          argv.findIndex((word) => word.startsWith('-')),
        ),
        commands,
      ),
    );
    return EXIT.ok;
  }
  if (first === '') {
    // Without a command, the help is a message on stderr, not data on stdout.
    put(io, 'err', dailyOverview());
    return EXIT.usage;
  }
  if (first === '--version') {
    put(io, 'out', `${version()}\n`);
    return EXIT.ok;
  }
  const row = findCommand(argv, commands);
  // All of it before the command runs, as an update may replace the program's files meanwhile.
  const [command, { parseArgs, withHelpOf }, { printOutcome }, { say }, { withOperator }, home] =
    await Promise.all([
      row.load(),
      import('./args/parse.ts'),
      import('./print/outcome.ts'),
      import('./terminal/output.ts'),
      import('./terminal/stop.ts'),
      import('../app/places/home.ts'),
    ]);
  const args = await parseArgs(row, command, argv.slice(row.name.split(' ').length));
  const messages = await messagesFor(row, args, say.bind(null, io), io);
  onMessages(messages);
  const heard = withOperator(messages === undefined ? io : { ...io, messages });
  const looksFor = homeParts(command.options, args, heard);
  const sentence = looksFor && home.homeSentence(home.homeOf(heard), heard.cwd, looksFor);
  if (sentence !== undefined) say(heard, sentence);
  try {
    const { campaign } = args as { campaign?: string };
    // `resume` reads the file itself, whose service may be another one.
    if (campaign?.match(/\.ya?ml$/i) && row.name !== 'resume') {
      const { campaignOf } = await import('../app/places/list-or-campaign.ts');
      Object.assign(args, { campaign: campaignOf(campaign, io.cwd) });
    }
    return printOutcome(await command.run(args, heard, commands), args.json, heard);
  } catch (error) {
    throw withHelpOf(row, error, io);
  }
}

/** Only commands that run for hours log their messages. */
async function messagesFor(
  row: CommandRow,
  args: CommonArgs,
  say: (sentence: string) => void,
  io: Io,
): Promise<Messages | undefined> {
  if (!('logFile' in args)) return undefined;
  const { messagesOf } = await import('./args/options.ts');
  return messagesOf({ ...args }, row.name === 'serve', say, io);
}

/** The parts of the home folder that the command uses: it is named before anything is done there. */
function homeParts(options: Options, args: Record<string, unknown>, io: Io) {
  const named = (args['db'] ?? io.env['CALLSHEET_DB'] ?? '') as string;
  // Results of a database on a server are in the home folder, too.
  const usesData = 'db' in options && (named === '' || isServerUrl(named));
  const usesCampaigns = 'services' in options && args['services'] === undefined;
  if (!usesData) return usesCampaigns ? 'campaigns/' : undefined;
  return usesCampaigns ? 'data/ and campaigns/' : 'data/';
}

/** Whether unexpected errors are printed or logged with their stack. */
export function wantsStacks(argv: readonly string[]): boolean {
  return wantsDebug(argv) || typedValue('--log-file', argv) !== undefined;
}

function wantsDebug(argv: readonly string[]): boolean {
  return typedValue('--log-level', argv) === 'debug';
}

/**
 * The value of a flag among words that are not parsed yet, for what is needed before parsing or without it: messages of
 * mistakes, stack traces, completion.
 */
function typedValue(flag: string, words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const word = words[at];
  return word === flag ? words[at + 1] : word?.slice(flag.length + 1);
}
