import { statSync } from 'node:fs';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { consolePath, hasConsoleStore, withConsoleStore } from '../access/console-store.ts';
import type { DatabaseRequest } from '../places/database-place.ts';
import type { World } from '../world.ts';

/** Bits of a file's mode that let other users of the machine read or change it. */
const OTHERS = 0o077;

/**
 * Checks the file of users and tokens: whether it can be opened, and by whom. Null: there is none.
 *
 * @throws AppError those of `openConsoleStore`
 */
export async function checkConsole(
  request: DatabaseRequest,
  world: World,
): Promise<{ detail: string; ok: boolean } | null> {
  if (!hasConsoleStore(request, world)) return null;
  const path = consolePath(request, world);
  const held = await withConsoleStore(request, world, async (store) => {
    const [users, tokens] = [await store.users(), await store.tokens()];
    return `${counted(users.length, 'user')} and ${counted(tokens.length, 'token')}`;
  });
  const mode = statSync(path).mode & 0o777;
  if ((mode & OTHERS) === 0) return { detail: `${path}: ${held}`, ok: true };
  return {
    detail: `${path} is open to other users of this machine (mode ${mode.toString(8)}), who could guess its passwords at their leisure. Next: \`chmod 600 ${shellWord(path)}\`.`,
    ok: false,
  };
}
