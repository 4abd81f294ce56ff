import { hasConsoleStore, withConsoleStore } from '../../../app/access/console-store.ts';
import {
  addUser,
  changePassword,
  listUsers,
  removeUser,
  requireNewUser,
  requireUser,
  setRole,
  type User,
} from '../../../app/access/users.ts';
import { withIso } from '../../../text/iso-times.ts';
import { localTime } from '../../../text/local-time.ts';
import { defineCommand } from '../../args/command.ts';
import type { CommandIo } from '../../io.ts';
import { consoleOptions, readRole, roleOptions, roleText } from './access-options.ts';
import { typedPassword } from './typed-password.ts';

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
  run: async (args, io) => {
    const added = await withConsoleStore(args, io, async (store) => {
      // Asked first, so that no password is typed in vain.
      await requireNewUser(store, args.name);
      const password = await typedPassword(args.name, io);
      return addUser(store, { ...readRole(args), password }, io);
    });
    return {
      json: asJson(added, io),
      hints: [`${added.name} may sign in to the console (${roleText(added)}).`],
    };
  },
});

export const list = defineCommand({
  arguments: {},
  options: consoleOptions,
  examples: [['users list', 'name, role, and since when each has had the password']],
  run: async (args, io) => {
    const users = hasConsoleStore(args, io) ? await withConsoleStore(args, io, listUsers) : [];
    const rows = users.map((user) => [
      user.name,
      roleText(user),
      localTime(user.createdAt, io.timezone),
      localTime(user.passwordAt, io.timezone),
    ]);
    return {
      json: users.map((user) => asJson(user, io)),
      table: rows.length === 0 ? undefined : [['name', 'role', 'added', 'password set'], rows],
      hints:
        rows.length === 0
          ? ['There is no user; `callsheet users add NAME --role admin` adds the first.']
          : [],
    };
  },
});

/** For what could leave nobody who adds users in the browser. */
const force = { type: 'switch', describe: 'also the only admin' } as const;

export const set = defineCommand({
  arguments: { name },
  options: { ...roleOptions, force },
  examples: [['users set ben@example.com --role operator', 'may now run campaigns, too']],
  notes: 'It holds from the next request of that user on; nobody has to sign in again.',
  run: async (args, io) => {
    const user = await change(args, io, (store) =>
      setRole(store, readRole(args), io, { lastAdmin: args.force }),
    );
    return { json: asJson(user, io), hints: [`${user.name} is now: ${roleText(user)}.`] };
  },
});

export const password = defineCommand({
  arguments: { name },
  options: consoleOptions,
  examples: [['users password ann', 'asks for the new one']],
  notes: TYPED,
  run: async (args, io) => {
    const user = await change(args, io, async (store) => {
      const known = await requireUser(store, args.name);
      const typed = await typedPassword(known.name, io);
      return changePassword(store, { name: known.name, password: typed }, io);
    });
    return {
      json: asJson(user, io),
      hints: [
        `The password of ${user.name} is changed, and all sessions of ${user.name} have ended.`,
      ],
    };
  },
});

export const remove = defineCommand({
  arguments: { name },
  options: { ...consoleOptions, force },
  examples: [['users remove ben@example.com', 'at once, also where they are signed in']],
  notes: 'What the user has done stays in the log.',
  run: async (args, io) => {
    const user = await change(args, io, (store) =>
      removeUser(store, args.name, io, { lastAdmin: args.force }),
    );
    return { json: asJson(user, io), hints: [`${user.name} may not sign in any more.`] };
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

function asJson(user: User, { timezone }: CommandIo) {
  return withIso(user, ['createdAt', 'passwordAt'], timezone);
}
