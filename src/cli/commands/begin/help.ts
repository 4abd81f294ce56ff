import yargs from 'yargs';
import { z } from 'zod';

import { campaignsIn, databasePlaces } from '../../../app/places/databases.ts';
import { usageError } from '../../../runtime/errors.ts';
import {
  defineCommand,
  GROUPS,
  type CommandRow,
  type OptionSpec,
  type Options,
} from '../../args/command.ts';
import { familyOf, findCommand, helpText, overview } from '../../args/help.ts';
import { commonOptions, jsonOption } from '../../args/options.ts';
import type { CommandIo } from '../../io.ts';
import type { Outcome } from '../../print/outcome.ts';

const aboutCommand = z.object({
  name: z.string(),
  usage: z.string(),
  group: z.enum(GROUPS),
  describe: z.string(),
});
const spec = z.object({ describe: z.string(), required: z.boolean().optional() });
const oneCommand = aboutCommand.extend({
  arguments: z.record(z.string(), spec.extend({ several: z.boolean().optional() })),
  options: z.record(
    z.string(),
    spec.extend({
      type: z.enum(['text', 'texts', 'switch']),
      alias: z.string().optional(),
      choices: z.array(z.string()).readonly().optional(),
      default: z.string().optional(),
    }),
  ),
  examples: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  notes: z.string().nullable(),
});

export const help = defineCommand({
  arguments: {
    command: { describe: 'the command; default: those of every day', several: true },
  },
  options: { all: { type: 'switch', describe: 'every command, in groups' } },
  examples: [
    ['help', 'the same as `callsheet --help`'],
    ['help --all', 'every command, in groups'],
    ['help suppress add', 'the same as `callsheet suppress add --help`'],
  ],
  json: z.union([oneCommand, z.object({ commands: z.array(aboutCommand) })]),
  run: async ({ command: words, all, json }, _io, commands) => {
    refuseMore(words, commands);
    if (json) return { json: await described(words, commands) };
    if (all && words.length === 0) return { text: overview(commands) };
    return { text: await helpText(words, commands) };
  },
});

/** Refuses words after a command's name: `run` takes a list, `help run` does not. */
function refuseMore(words: readonly string[], commands: readonly CommandRow[]): void {
  if (words.length < 2) return;
  const { name } = findCommand(words, commands);
  const more = words[name.split(' ').length];
  if (more === undefined) return;
  throw usageError(
    'USAGE',
    `"${more}" is one word too many for \`callsheet help ${name}\`.`,
    `see \`callsheet help ${name}\``,
  );
}

async function described(words: readonly string[], commands: readonly CommandRow[]) {
  const rows = familyOf(words, commands);
  if (rows.length > 0) return { commands: rows.map(about) };
  const row = findCommand(words, commands);
  const { arguments: args, options, examples, notes = null } = await row.load();
  return {
    ...about(row),
    arguments: args,
    options: Object.fromEntries(
      Object.entries({ ...options, ...jsonOption }).map(([name, spec]: [string, OptionSpec]) => [
        name,
        { type: 'text' as const, ...spec },
      ]),
    ),
    examples,
    notes,
  };
}

function about({ name, usage, group, describe }: CommandRow) {
  return { name, usage, group, describe };
}

export const completion = defineCommand({
  examples: [['completion', 'the script for the shell in SHELL: zsh, fish, else bash']],
  notes: `Tab completes commands, flags, their values and names of campaigns from the next shell on, where you put it:
  bash  callsheet completion >> ~/.bashrc
  zsh   callsheet completion > ~/.zfunc/_callsheet    (~/.zfunc in fpath, before compinit)
  fish  callsheet completion > ~/.config/fish/completions/callsheet.fish`,
  json: z.object({ script: z.string() }),
  run: () => {
    const script = yargs([]).scriptName('callsheet').exitProcess(false).completion('completion');
    return new Promise<Outcome<{ script: string }>>((resolve) => {
      void script.parse(['completion'], {}, (_error, _args, text) =>
        resolve({ json: { script: text }, text: `${text.trimEnd()}\n` }),
      );
    });
  },
});

/**
 * The words that may be at the cursor: commands, flags, their choices, names of campaigns. None where a file is meant,
 * which the shell then completes.
 *
 * @param words as the script of yargs sends them: of bash and zsh with `callsheet` in front, of fish without it
 * @throws errors of databases; the caller hides them from the person who pressed Tab
 */
export async function completions(
  words: readonly string[],
  commands: readonly CommandRow[],
  io: CommandIo,
): Promise<string[]> {
  const typed = /(?:^|[/\\])callsheet$/.test(words[0] ?? '') ? words.slice(1) : words;
  const before = typed.slice(0, -1);
  const current = typed.at(-1) ?? '';
  const row = commands.find(({ name }) => `${typed.join(' ')} `.startsWith(`${name} `));
  const found = row === undefined ? nextWords(before, commands) : await inCommand(row);
  return found.filter((word) => word.startsWith(current));

  async function inCommand({ name, usage, load }: CommandRow): Promise<string[]> {
    const options: Options = { ...(await load()).options, ...commonOptions };
    const choices = options[before.at(-1)?.slice(2) ?? '']?.choices;
    if (choices !== undefined) return [...choices];
    if (current.startsWith('-'))
      return [...Object.keys(options), 'help'].map((flag) => `--${flag}`);
    const isFirst = before.length === name.split(' ').length;
    if (!isFirst || !/\bcampaign[>\]]/.test(usage)) return [];
    // One database may be readable although another is not.
    const read = databasePlaces({ db: io.db }, io).map((place) =>
      campaignsIn(place, io).catch(() => []),
    );
    const campaigns = (await Promise.all(read)).flat().filter(({ kind }) => kind === 'list');
    // In zsh a description follows a colon.
    const colon = io.env['SHELL']?.endsWith('zsh') === true ? String.raw`\:` : ':';
    return campaigns.map((campaign) => campaign.name.replaceAll(':', colon));
  }
}

/** First words of commands; after these words, the second words of commands. */
function nextWords(before: readonly string[], commands: readonly CommandRow[]): string[] {
  const all = commands.map(({ name }) => name.split(' '));
  const next = all.filter((words) => before.every((word, at) => word === words[at]));
  return [...new Set(next.flatMap((words) => words[before.length] ?? []))];
}
