import type { CommandRow } from '../../args/command.ts';

/** Rows of the command table for the console: who may use it, and the console itself. */
export const CONSOLE: Readonly<
  Record<string, readonly [describe: string, load: CommandRow['load']]>
> = {
  console: [
    'upload, start and watch campaigns in a browser',
    async () => (await import('./console.ts')).openConsole,
  ],
  'users list': ['who may sign in', async () => (await import('./users.ts')).list],
  'users add <name>': ['let somebody sign in', async () => (await import('./users.ts')).add],
  'users set <name>': ['give a user another role', async () => (await import('./users.ts')).set],
  'users password <name>': [
    'set a password; their sessions end',
    async () => (await import('./users.ts')).password,
  ],
  'users remove <name>': [
    'let a user in no longer',
    async () => (await import('./users.ts')).remove,
  ],
  'tokens list': ['tokens of programs', async () => (await import('./tokens.ts')).list],
  'tokens add <name>': ['make a token', async () => (await import('./tokens.ts')).add],
  'tokens remove <name>': ['end a token', async () => (await import('./tokens.ts')).remove],
};
