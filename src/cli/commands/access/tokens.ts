import { hasConsoleStore, withConsoleStore } from '../../../app/access/listening.ts';
import { createToken, listTokens, removeToken } from '../../../app/access/sessions.ts';
import { localOf } from '../../../text/times.ts';
import { madeToken, token, tokens } from '../../../views/access.ts';
import { defineCommand } from '../../args/command.ts';
import { consoleOptions, readRole, roleOptions, roleText } from './users.ts';

const name = {
  describe: 'what the token is called in lists and in the log',
  required: true,
} as const;

export const add = defineCommand({
  arguments: { name },
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

export const list = defineCommand({
  arguments: {},
  options: consoleOptions,
  examples: [['tokens list', 'name, role, and when each was last used']],
  json: tokens,
  run: async (args, io) => {
    const found = hasConsoleStore(args, io)
      ? await withConsoleStore(args, io, (store) => listTokens(store, io))
      : { items: [], next: null };
    const time = (at: string) => `${localOf(at)} ${io.timezone}`;
    const rows = found.items.map((token) => [
      token.name,
      roleText(token),
      time(token.createdAt),
      token.lastUsedAt === null ? null : time(token.lastUsedAt),
    ]);
    return {
      json: found,
      table: rows.length === 0 ? undefined : [['name', 'role', 'made', 'last used'], rows],
      hints:
        rows.length === 0
          ? ['There is no token; `callsheet tokens add NAME --role operator` makes one.']
          : [],
    };
  },
});

export const remove = defineCommand({
  arguments: { name },
  options: consoleOptions,
  examples: [['tokens remove crm', 'its next request is refused']],
  json: token,
  run: async (args, io) => {
    const use = (store: Parameters<typeof removeToken>[0]) => removeToken(store, args.name, io);
    const token = await withConsoleStore(args, io, use, false);
    return { json: token, hints: [`The token "${token.name}" works no longer.`] };
  },
});
