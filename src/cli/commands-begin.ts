import type { CommandRow } from './args/command.ts';

/** The commands of the group Begin, in the order of the help; see `COMMANDS`. */
export const BEGIN: readonly CommandRow[] = [
  {
    name: 'init',
    usage: 'init',
    group: 'Begin',
    describe: 'ask for service, key, agent and first list, and write the files for them',
    load: async () => (await import('./commands/begin/init.ts')).init,
  },
  {
    name: 'completion',
    usage: 'completion <shell> [words..]',
    group: 'Begin',
    describe: 'what bash, zsh or fish reads so that Tab completes commands and campaigns',
    load: async () => (await import('./commands/begin/completion.ts')).completion,
  },
  {
    name: 'help',
    usage: 'help [command..]',
    group: 'Begin',
    describe: 'the commands, or the options and examples of one',
    load: async () => (await import('./commands/begin/help.ts')).help,
  },
];
