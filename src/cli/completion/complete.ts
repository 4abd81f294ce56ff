import { builtInProfiles } from '../../config/profiles.ts';
import type { Command, CommandRow, OptionSpec } from '../args/command.ts';
import { FILES, SHELLS } from './completion-scripts.ts';
import type { CommandIo } from '../io.ts';
import { commonOptions } from '../args/options.ts';

/** A word that may be at the cursor. */
export interface Completion {
  word: string;
  /** A description of one line; empty if there is none. */
  about: string;
}

/**
 * Completions of the last word, which may be empty or half typed: only words that begin with it. Contains FILES where
 * the shell is to add file names.
 *
 * @param words the words after `callsheet`; the cursor is in the last one
 * @throws errors of databases and files; the caller hides them from the person who pressed Tab
 */
export async function completions(
  words: readonly string[],
  commands: readonly CommandRow[],
  io: CommandIo,
): Promise<Completion[]> {
  const { before, current, prefix } = cursorIn(words);
  const found = await allAt(before, current, commands, io);
  return found
    .map((each) => (each.word === FILES ? each : { ...each, word: prefix + each.word }))
    .filter(({ word }) => word === FILES || word.startsWith(prefix + current));
}

/** `--flag=value` is one word for zsh and fish; bash splits it into three, of which the last is completed. */
function cursorIn(words: readonly string[]) {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [, flag, value] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
  if (flag !== undefined && value !== undefined)
    return { before: [...before, flag], current: value, prefix: `${flag}=` };
  if (current === '=') return { before, current: '', prefix: '' };
  if (before.at(-1) === '=') return { before: before.slice(0, -1), current, prefix: '' };
  return { before, current, prefix: '' };
}

async function allAt(
  before: readonly string[],
  current: string,
  commands: readonly CommandRow[],
  io: CommandIo,
): Promise<Completion[]> {
  const [first = '', second = ''] = before;
  const row = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (row === undefined) return before.length < 2 ? nextWords(first, commands) : [];
  const command = await row.load();
  const typed = before.slice(row.name.split(' ').length);
  const options: Record<string, OptionSpec> = { ...command.options, ...commonOptions };
  const flag = flagAwaiting(typed, options);
  if (flag !== undefined) return valuesOf(flag, options[flag], typed, io);
  if (current.startsWith('-')) return flagsOf(options, typed);
  const argument = argumentAt(command, typed, options);
  return argument === undefined ? [] : argumentsFor(argument, row, typed, commands, io);
}

/** First words of commands; after the first word of a two-word command, its possible second words. */
function nextWords(first: string, commands: readonly CommandRow[]): Completion[] {
  const rows = commands.map(({ name, describe }) => ({ words: name.split(' '), describe }));
  if (first !== '')
    return rows
      .filter(({ words }) => words[0] === first && words.length > 1)
      .map(({ words, describe }) => ({ word: words[1] ?? '', about: describe }));
  const once = new Map(
    rows.map(({ words, describe }) => [words[0] ?? '', words.length > 1 ? '' : describe] as const),
  );
  return [...once].map(([word, about]) => ({ word, about }));
}

/** The flag right before the cursor, if its value is still missing. */
function flagAwaiting(
  typed: readonly string[],
  options: Record<string, OptionSpec>,
): string | undefined {
  const last = typed.at(-1) ?? '';
  const name = Object.entries(options).find(
    ([key, { alias }]) => last === `--${key}` || (alias !== undefined && last === `-${alias}`),
  )?.[0];
  return name === undefined || options[name]?.type === 'switch' ? undefined : name;
}

function flagsOf(options: Record<string, OptionSpec>, typed: readonly string[]): Completion[] {
  const given = new Set(typed.map((word) => word.split('=')[0]));
  return Object.entries(options)
    .filter(([name, { type }]) => type === 'texts' || !given.has(`--${name}`))
    .map(([name, { describe }]) => ({ word: `--${name}`, about: describe }))
    .concat({ word: '--help', about: 'options and examples of this command' });
}

/** Flags whose value is the name of a file or folder. */
const FILE_FLAGS = ['db', 'output', 'key-file', 'services', 'system-prompt-file', 'answers'];

async function valuesOf(
  flag: string,
  spec: OptionSpec | undefined,
  typed: readonly string[],
  io: CommandIo,
): Promise<Completion[]> {
  if (spec?.choices !== undefined) return plain(spec.choices);
  if (FILE_FLAGS.includes(flag)) return plain([FILES]);
  const names = await import('./complete-names.ts');
  if (flag === 'rules') return plain([...names.rulesNamed(io), FILES]);
  if (flag === 'service') return plain(names.servicesNamed(typed, io));
  if (flag === 'profile') return plain([...builtInProfiles(), FILES]);
  return [];
}

/** The argument of the command at the cursor, by its name in usage. */
function argumentAt(
  command: Command,
  typed: readonly string[],
  options: Record<string, OptionSpec>,
): string | undefined {
  const args = Object.entries(command.arguments);
  let count = 0;
  for (const [index, word] of typed.entries()) {
    const isValue =
      flagAwaiting(typed.slice(0, index), options) !== undefined || typed[index - 1] === '=';
    if (word !== '=' && !word.startsWith('-') && !isValue) count += 1;
  }
  const last = args.at(-1);
  return args[count]?.[0] ?? (last?.[1].several === true ? last[0] : undefined);
}

async function argumentsFor(
  argument: string,
  { name, usage }: CommandRow,
  typed: readonly string[],
  commands: readonly CommandRow[],
  io: CommandIo,
): Promise<Completion[]> {
  if (argument === 'shell') return plain(SHELLS);
  if (argument === 'command') return nextWords(typed[0] ?? '', commands);
  const names = await import('./complete-names.ts');
  if (argument === 'profile') return plain([...builtInProfiles(), FILES]);
  if (argument === 'campaign')
    return plain(await names.campaignsNamed(typed, io, { archived: name === 'archive' }));
  if (argument === 'list' && usage.includes('campaign>') && !usage.includes('<campaign>'))
    return plain([FILES, ...(await names.campaignsNamed(typed, io, { archived: false }))]);
  if (argument === 'rule' || name === 'rules check') return plain([...names.rulesNamed(io), FILES]);
  return argument === 'list' || argument === 'file' ? plain([FILES]) : [];
}

function plain(words: readonly string[]): Completion[] {
  return words.map((word) => ({ word, about: '' }));
}
