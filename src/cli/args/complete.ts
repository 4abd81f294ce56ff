import { databasePlaces } from '../../app/places/databases.ts';
import { campaignsIn } from '../../app/places/unknown-campaign.ts';
import { ruleNames } from '../../app/rules/rules.ts';
import { knownServices } from '../../app/services/service.ts';
import { builtInProfiles } from '../../config/profiles.ts';
import type { CommandIo } from '../io.ts';
import type { CommandRow, Options } from './command.ts';
import { commonOptions } from './options.ts';
import { typedValue } from './typed-value.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/**
 * The words that may be at the cursor: commands, flags, their choices, names. None where a file is meant: the shell
 * completes files by itself where it is given no word. Commands and flags have a tab and a description behind them.
 *
 * @param words the words after `callsheet`; the cursor is in the last one, which may be empty or half typed
 * @throws errors of databases and files; the caller hides them from the person who pressed Tab
 */
export async function completions(
  words: readonly string[],
  commands: readonly CommandRow[],
  io: CommandIo,
): Promise<string[]> {
  // zsh and fish give `--flag=value` as one word. bash gives three words, and completes the last one.
  const typed = words.flatMap((word, at) => {
    if (word === '=') return at === words.length - 1 ? [''] : [];
    return /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word];
  });
  const current = typed.at(-1) ?? '';
  const prefix = /^--[\w-]+=/.exec(words.at(-1) ?? '')?.[0] ?? '';
  const found = await allAt(typed.slice(0, -1), current, commands, io);
  return found.filter((word) => word.startsWith(current)).map((word) => prefix + word);
}

async function allAt(
  before: readonly string[],
  current: string,
  commands: readonly CommandRow[],
  io: CommandIo,
): Promise<readonly string[]> {
  const row = commands.find(({ name }) => `${before.join(' ')} `.startsWith(`${name} `));
  if (row === undefined) return nextWords(before, commands);
  const command = await row.load();
  const options: Options = { ...command.options, ...commonOptions };
  const typed = before.slice(row.name.split(' ').length);
  const takesValue = (word = '') =>
    word.startsWith('-') && options[word.slice(2)]?.type !== 'switch';
  const last = typed.at(-1);
  if (takesValue(last)) {
    const flag = last?.slice(2) ?? '';
    return options[flag]?.choices ?? namesFor(flag, row, typed, io);
  }
  if (current.startsWith('-'))
    return Object.entries({ ...options, help: { describe: 'options and examples' } }).map(
      ([name, { describe }]) => `--${name}\t${describe}`,
    );
  const given = typed.filter((word, at) => !word.startsWith('-') && !takesValue(typed[at - 1]));
  const all = Object.entries(command.arguments);
  const [argument = '', spec] = all[Math.min(given.length, all.length - 1)] ?? [];
  if (given.length >= all.length && spec?.several !== true) return [];
  return argument === 'command' ? nextWords(given, commands) : namesFor(argument, row, typed, io);
}

/** First words of commands; after these words, the second words of commands. */
function nextWords(before: readonly string[], commands: readonly CommandRow[]): string[] {
  const next = commands.flatMap(({ name, describe }) => {
    const words = name.split(' ');
    const word = words[before.length];
    if (word === undefined || before.some((one, at) => one !== words[at])) return [];
    return `${word}\t${words.length === before.length + 1 ? describe : ''}`;
  });
  return [...new Set(next)];
}

/** Names for a flag or an argument of a command. */
async function namesFor(
  meant: string,
  { name, usage }: CommandRow,
  typed: readonly string[],
  io: CommandIo,
): Promise<readonly string[]> {
  if (meant === 'shell') return SHELLS;
  if (meant === 'profile') return builtInProfiles();
  if (meant === 'rule' || meant === 'rules' || name === 'rules check') return ruleNames(io);
  if (meant === 'service') {
    return [...knownServices({ services: typedValue('--services', typed) }, io).entries.keys()];
  }
  if (meant !== 'campaign' && !(meant === 'list' && usage.includes('|campaign>'))) return [];
  const places = databasePlaces({ db: typedValue('--db', typed) }, io);
  // One database may be readable although another is not.
  const found = await Promise.all(places.map(({ path }) => campaignsIn(path).catch(() => [])));
  return found
    .flat()
    .filter(({ kind, archivedAt }) => {
      return kind === 'list' && (name === 'archive' || archivedAt === undefined);
    })
    .map((campaign) => campaign.name);
}
