import { existsSync } from 'node:fs';
import { join } from 'node:path';
import yargs from 'yargs';
import { homeOf } from '../../app/places/home.ts';
import { EXAMPLE_FILE, MEND_FILE, MEND_VALUE } from '../../config/campaign-file.ts';
import { nearest } from '../../text/nearest.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import type { Io } from '../io.ts';
import type { Args, Arguments, Command, CommandRow, Options } from './command.ts';
import { commonOptions } from './options.ts';

/** Width of the help text, independent of the terminal, so that the reference shows the same. */
export const HELP_WIDTH = 100;

/**
 * Reads the words after the command's name. No value becomes a number and nothing is guessed: an option that is
 * unknown, empty, given twice or not among its choices is an error that says so.
 */
export async function parseArgs(
  row: CommandRow,
  command: Command,
  words: readonly string[],
): Promise<Args<Arguments, Options>> {
  const options: Options = { ...command.options, ...commonOptions };
  let failure: string | undefined;
  let args: Record<string, unknown> = {};
  await parserOf(row, command).parseAsync(
    [...words],
    {},
    (error: Error | undefined | null, parsed: Record<string, unknown>) => {
      failure = error?.message;
      args = parsed;
    },
  );
  if (failure !== undefined)
    throw usage(
      row,
      sentenceOf(failure, row, words, options),
      failure.startsWith('Unknown argument') ? command.tooMany : undefined,
    );
  const values: Record<string, unknown> = {};
  for (const [name, { several }] of Object.entries(command.arguments)) {
    const rest = Array.isArray(args['--']) ? (args['--'] as unknown[]) : [];
    const value = several
      ? [...((args[name] as unknown[] | undefined) ?? []), ...rest]
      : args[name];
    // The parser turns `-`, which means standard input, into an empty text.
    values[name] = value === '' && words.includes('-') ? '-' : value;
    if (values[name] === '')
      throw usage(row, `<${name}> is empty; it is \`callsheet ${row.usage}\`.`);
  }
  for (const [name, spec] of Object.entries(options)) {
    const value = args[name];
    const given = Array.isArray(value) ? (value as unknown[]) : [value];
    const flag = `--${name}`;
    if (given.length > 1 && spec.type !== 'texts') {
      throw usage(row, `${flag} is given ${given.length} times; give it once.`);
    }
    if (given.includes('')) throw usage(row, `${flag} is empty; it needs a value.`);
    values[name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] =
      value ?? (spec.type === 'switch' ? false : spec.type === 'texts' ? [] : undefined);
  }
  return values as Args<Arguments, Options>;
}

/**
 * The help of one command, as `callsheet <name> --help` shows it.
 *
 * @param common options of every command; the reference leaves them out, because it explains them once
 */
export async function helpOf(
  row: CommandRow,
  command: Command,
  common: Options = commonOptions,
): Promise<string> {
  // After the parser's part and not wrapped, so that examples can be pasted.
  const examples = command.examples.map(([line, what]) => `  callsheet ${line}\n      ${what}`);
  const notes = command.notes === undefined ? '' : `\n\n${command.notes}`;
  return `${await parserOf(row, command, common).getHelp()}\n\nExamples:\n${examples.join('\n')}${notes}`;
}

function parserOf(
  row: Pick<CommandRow, 'name' | 'usage' | 'describe'>,
  command: Pick<Command, 'arguments' | 'options'>,
  common: Options = commonOptions,
) {
  return yargs([])
    .scriptName(`callsheet ${row.name}`)
    .parserConfiguration({
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'greedy-arrays': false,
      'camel-case-expansion': false,
      'boolean-negation': false,
      'dot-notation': false,
      'strip-aliased': true,
      // Words after `--` belong to the last argument if that takes several, even if they look like options.
      'populate--': true,
    })
    .detectLocale(false)
    .exitProcess(false)
    .help(false)
    .version(false)
    .wrap(HELP_WIDTH)
    .strict()
    .command(`$0${row.usage.slice(row.name.length)}`, sentence(row.describe), (builder) => {
      for (const [name, { describe }] of Object.entries(command.arguments)) {
        builder.positional(name, { describe, type: 'string' });
      }
      for (const [name, spec] of Object.entries({ ...command.options, ...common })) {
        builder.option(name, yargsOption(spec));
      }
      return builder;
    });
}

function yargsOption(spec: Options[string]) {
  return {
    describe: spec.describe,
    ...(spec.alias !== undefined && { alias: spec.alias }),
    ...(spec.default !== undefined && { default: spec.default }),
    ...(spec.choices !== undefined && { choices: spec.choices }),
    ...(spec.required && { demandOption: true }),
    ...(spec.type === 'switch'
      ? { type: 'boolean' as const }
      : { type: 'string' as const, requiresArg: true, array: spec.type === 'texts' }),
  };
}

/** Rewrites the parser's messages in the words of callsheet, with the nearest flag. */
function sentenceOf(
  message: string,
  row: CommandRow,
  words: readonly string[],
  options: Options,
): string {
  const unknown = /^Unknown arguments?: (.+)$/.exec(message)?.[1]?.split(', ')[0];
  if (unknown !== undefined) {
    const dashes = unknown.length === 1 ? '-' : '--';
    const isFlag = words.some((word) => word.split('=')[0] === dashes + unknown);
    const lead =
      'lead' in options && /^\+\d/.test(unknown) ? `; did you mean --lead ${unknown}?` : '.';
    if (!isFlag) return `"${unknown}" is one word too many for \`callsheet ${row.usage}\`${lead}`;
    if (row.name === 'export' && unknown === 'new') return '--new is --since-last now.';
    const near = nearest(unknown, [...Object.keys(options), ...EVERYWHERE]);
    const meant =
      near === undefined
        ? '.'
        : `; did you mean ${near === 'version' ? '`callsheet --version`' : `--${near}`}?`;
    return `${dashes}${unknown} is not an option of \`callsheet ${row.name}\`${meant}`;
  }
  const valueless = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (valueless !== undefined) {
    const describe = options[valueless]?.describe;
    return `--${valueless} needs a value${describe === undefined ? '' : ` (${describe})`}.`;
  }
  const missing = /^Missing required arguments?: (.+)$/.exec(message)?.[1];
  if (missing !== undefined)
    return `\`callsheet ${row.name}\` needs --${missing.replaceAll(', ', ', --')}.`;
  const [, flag, given, choices] =
    /Argument: (.+?), Given: (.+?), Choices: (.+)$/m.exec(message) ?? [];
  if (flag !== undefined && given !== undefined && choices !== undefined) {
    return `--${flag} ${given} is not allowed; it must be one of ${choices.replaceAll('"', '')}.`;
  }
  if (message.startsWith('Not enough non-option arguments')) {
    return `An argument is missing: the command is \`callsheet ${row.usage}\`.`;
  }
  return `${message.replaceAll(/\s+/g, ' ').trim()}.`;
}

/** Flags that only `main` reads, not the parser. */
const EVERYWHERE = ['help', 'version'];

function usage(row: CommandRow, message: string, hint?: string): AppError {
  return usageError('USAGE', message, hint ?? `see \`callsheet ${row.name} --help\``);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Adds the command's name to the hint of a wrong value: the code that finds the mistake does not know the command. */
export function withHelpOf({ name }: CommandRow, error: unknown, io: Io): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.hint !== MEND_VALUE && error.hint !== MEND_FILE) return error;
  const help = error.hint.replace('--help', `${name} --help`);
  const isOfCampaign = error.code !== 'FLAG_INVALID';
  const hint = isOfCampaign ? help + exampleIn(io) : help;
  return new AppError(error.code, error.lines, { hint, exitCode: error.exitCode, cause: error });
}

/** Refers to the example file only if it exists. */
function exampleIn(io: Io): string {
  return existsSync(join(homeOf(io).folder, EXAMPLE_FILE))
    ? `, and ${EXAMPLE_FILE} shows every key`
    : '';
}
