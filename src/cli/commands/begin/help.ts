import { usageError } from '../../../runtime/errors.ts';
import { defineCommand, type CommandRow } from '../../args/command.ts';
import { familyOf, findCommand, helpText } from '../../args/help.ts';
import { jsonOption } from '../../args/options.ts';

export const help = defineCommand({
  arguments: {
    command: { describe: 'of which command; default: the overview', several: true },
  },
  options: {},
  examples: [
    ['help', 'the same as `callsheet --help`'],
    ['help suppress add', 'the same as `callsheet suppress add --help`'],
  ],
  run: async ({ command: words, json }, _io, commands) => {
    refuseMore(words, commands);
    if (json) return { json: await described(words, commands) };
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
    options: { ...options, ...jsonOption },
    examples,
    notes,
  };
}

function about({ name, usage, group, describe }: CommandRow) {
  return { name, usage, group, describe };
}
