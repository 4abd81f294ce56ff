import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { hasConsoleStore, withConsoleStore } from '../../../app/access/listening.ts';
import { requireGoodPassword, ROLES } from '../../../app/access/identity.ts';
import {
  addUser,
  changePassword,
  listUsers,
  removeUser,
  requireNewUser,
  requireUser,
  setRole,
} from '../../../app/access/users.ts';
import { attempt, usageError } from '../../../runtime/errors.ts';
import type { ConsoleStore, Role } from '../../../store/console.ts';
import { localOf } from '../../../text/times.ts';
import {
  madeToken,
  token,
  tokens,
  user,
  users,
  type Token,
  type User,
} from '../../../views/access.ts';
import { defineCommand, type Options } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import type { CommandIo } from '../../io.ts';
import type { Outcome } from '../../print/outcome.ts';
import { askHidden } from '../../terminal/terminal.ts';
import { say } from '../../terminal/output.ts';
import { createToken, listTokens, removeToken } from '../../../app/access/sessions.ts';

/** Where users and tokens are. */
export const consoleOptions = {
  db: {
    describe:
      'the database in use, default CALLSHEET_DB, else data/callsheet.db; users and tokens are in console.db beside it, of one on a server in its schema',
  },
  'db-password-file': databaseOptions['db-password-file'],
} as const satisfies Options;

/** What somebody may do. */
export const roleOptions = {
  role: {
    describe: 'viewers look; operators also run campaigns; admins also add users and tokens',
    choices: ROLES,
    required: true,
  },
  transcripts: {
    type: 'switch',
    describe: 'a viewer may also read transcripts and whole numbers, as all others may',
  },
  ...consoleOptions,
} as const satisfies Options;

/** The parser takes no other than `ROLES`. */
export function readRole<A extends { role: string }>(args: A): A & { role: Role } {
  return { ...args, role: args.role as Role };
}

/** `operator`, `viewer` or `viewer, transcripts`. */
export function roleText({ role, transcripts }: { role: Role; transcripts: boolean }): string {
  return role === 'viewer' && transcripts ? 'viewer, transcripts' : role;
}

/**
 * The password of a user, typed twice and not shown, and asked for again until it is good; off a terminal, the first
 * line of the standard input.
 */
async function typedPassword(name: string, io: CommandIo): Promise<string> {
  // Without the question on the screen, what is typed would be shown there.
  if (!io.attended && io.stdinIsTty) throw missing();
  if (!io.attended) return requireGoodPassword(name, await firstLine(io.stdin));
  for (;;) {
    const first = await askHidden(io, `Password of ${name} (it is not shown): `);
    if (first === undefined) throw missing();
    const { value: password, error } = attempt(() => requireGoodPassword(name, first));
    if (error !== null) {
      say(io, `${error.message} Next: ${error.hint ?? ''}.`);
      continue;
    }
    const again = await askHidden(io, 'The same again: ');
    if (again === undefined) throw missing();
    if (again === first) return password;
    say(io, 'These were two different passwords; type one of them twice.');
  }
}

async function firstLine(stdin: Readable): Promise<string> {
  for await (const line of createInterface({ input: stdin })) return line;
  throw missing();
}

function missing() {
  return usageError(
    'PASSWORD_MISSING',
    'No password was given: nothing was changed.',
    'type it on a terminal, or give it as the first line of the standard input, as with `< password.txt`',
  );
}

const name = { describe: 'the name to sign in with', required: true } as const;
const TYPED = `The password is asked for twice and not shown; off a terminal it is the first line of the standard
input, as with \`< password.txt\`. It has at least 12 characters: four or five words in a row are easy to keep in mind.`;

export const add = defineCommand({
  arguments: { name },
  options: roleOptions,
  examples: [
    ['users add ann --role admin', 'asks for a password'],
    [
      'users add ben@example.com --role viewer --transcripts',
      'one who may also read what was said',
    ],
  ],
  notes: TYPED,
  json: user,
  run: async (args, io) => {
    const added = await withConsoleStore(args, io, async (store) => {
      // Asked first, so that no password is typed in vain.
      await requireNewUser(store, args.name);
      const password = await typedPassword(args.name, io);
      return addUser(store, { ...readRole(args), password }, io);
    });
    return {
      json: added,
      hints: [`${added.name} may sign in to the console (${roleText(added)}).`],
    };
  },
});

export const list = defineCommand({
  options: consoleOptions,
  examples: [['users list', 'name, role, and since when each has had the password']],
  json: users,
  run: (args, io) => {
    const times = (each: User) => [each.createdAt, each.passwordAt];
    const hint = 'There is no user; `callsheet users add NAME --role admin` adds the first.';
    return tableOf(listUsers, args, ['added', 'password set'], times, hint, io);
  },
});

/** Users or tokens as a table. @param times of each, ISO 8601; null: never. @param hint where there are none */
async function tableOf<T extends Pick<Token, 'name' | 'role' | 'transcripts'>>(
  read: (store: ConsoleStore, io: CommandIo) => Promise<{ items: T[]; next: string | null }>,
  args: { db: string | undefined },
  columns: readonly [string, string],
  times: (each: T) => (string | null)[],
  hint: string,
  io: CommandIo,
): Promise<Outcome<{ items: T[]; next: string | null }>> {
  const found = hasConsoleStore(args, io)
    ? await withConsoleStore(args, io, (store) => read(store, io))
    : { items: [], next: null };
  if (found.items.length === 0) return { json: found, hints: [hint] };
  const shown = (at: string | null) => (at === null ? null : `${localOf(at)} ${io.timezone}`);
  const rows = found.items.map((each) => [each.name, roleText(each), ...times(each).map(shown)]);
  return { json: found, table: [['name', 'role', ...columns], rows] };
}

/** For what could leave nobody who adds users in the browser. */
const force = { type: 'switch', describe: 'also the only admin' } as const;

export const set = defineCommand({
  arguments: { name },
  options: { ...roleOptions, force },
  examples: [['users set ben@example.com --role operator', 'may now run campaigns, too']],
  notes: 'It holds from the next request of that user on; nobody has to sign in again.',
  json: user,
  run: async (args, io) => {
    const changed = await change(args, io, (store) =>
      setRole(store, readRole(args), io, { lastAdmin: args.force }),
    );
    return { json: changed, hints: [`${changed.name} is now: ${roleText(changed)}.`] };
  },
});

export const password = defineCommand({
  arguments: { name },
  options: consoleOptions,
  examples: [['users password ann', 'asks for the new one']],
  notes: TYPED,
  json: user,
  run: async (args, io) => {
    const changed = await change(args, io, async (store) => {
      const known = await requireUser(store, args.name);
      const typed = await typedPassword(known.name, io);
      return changePassword(store, { name: known.name, password: typed }, io);
    });
    const { name } = changed;
    return {
      json: changed,
      hints: [`The password of ${name} is changed, and all sessions of ${name} have ended.`],
    };
  },
});

export const remove = defineCommand({
  arguments: { name },
  options: { ...consoleOptions, force },
  examples: [['users remove ben@example.com', 'at once, also where they are signed in']],
  notes: 'What the user has done stays in the log.',
  json: user,
  run: async (args, io) => {
    const removed = await change(args, io, (store) =>
      removeUser(store, args.name, io, { lastAdmin: args.force }),
    );
    return { json: removed, hints: [`${removed.name} may not sign in any more.`] };
  },
});

/** For what needs a user who is there already: a missing file is not made. */
function change(
  args: { db: string | undefined },
  io: CommandIo,
  use: Parameters<typeof withConsoleStore<User>>[2],
): Promise<User> {
  return withConsoleStore(args, io, use, false);
}

const tokenName = {
  describe: 'what the token is called in lists and in the log',
  required: true,
} as const;

export const addToken = defineCommand({
  arguments: { name: tokenName },
  options: roleOptions,
  examples: [
    ['tokens add crm --role operator', 'for a program that uploads lists and starts them'],
    ['tokens add board --role viewer', 'for one that only looks'],
  ],
  notes: `The token goes to the standard output alone, and only this once: what is kept cannot be turned back into it. A
program sends it as \`Authorization: Bearer TOKEN\`.`,
  json: madeToken,
  run: async (args, io) => {
    const made = await withConsoleStore(args, io, (store) =>
      createToken(store, readRole(args), io),
    );
    return {
      json: made,
      lines: [made.token],
      told: [`This is the token "${made.name}" (${roleText(made)}); it is not shown again.`],
    };
  },
});

export const tokenList = defineCommand({
  options: consoleOptions,
  examples: [['tokens list', 'name, role, and when each was last used']],
  json: tokens,
  run: (args, io) => {
    const times = (each: Token) => [each.createdAt, each.lastUsedAt];
    const hint = 'There is no token; `callsheet tokens add NAME --role operator` makes one.';
    return tableOf(listTokens, args, ['made', 'last used'], times, hint, io);
  },
});

export const endToken = defineCommand({
  arguments: { name: tokenName },
  options: consoleOptions,
  examples: [['tokens remove crm', 'its next request is refused']],
  json: token,
  run: async (args, io) => {
    const use = (store: Parameters<typeof removeToken>[0]) => removeToken(store, args.name, io);
    const token = await withConsoleStore(args, io, use, false);
    return { json: token, hints: [`The token "${token.name}" works no longer.`] };
  },
});
