import { AppError, usageError } from '../../runtime/errors.ts';
import type { ConsoleStore } from '../../store/console.ts';
import type { World } from '../world.ts';
import type { Identity } from './identity.ts';
import type { Login } from './login.ts';
import { isPassword } from './passwords.ts';
import { changePassword } from './users.ts';

/**
 * Sets the password of whoever asks, who has to know the old one: a browser that was left open is not enough. All
 * sessions of the user end. How often it may be tried is the caller's to limit.
 *
 * @returns what a new session can begin with
 * @throws AppError `NOT_ALLOWED` for a link or a token, `PASSWORD_WRONG`, `PASSWORD_TOO_SHORT`, `PASSWORD_GUESSABLE`
 *   (exit 2)
 */
export async function changeOwnPassword(
  store: ConsoleStore,
  identity: Identity,
  { old, password }: { old: string; password: string },
  world: Pick<World, 'clock' | 'passwordCost'>,
): Promise<Login> {
  const { who, kind } = identity;
  if (kind !== 'user') throw hasNone(who);
  const user = await store.findUser(who);
  if (!(await isPassword(old, user?.password, world.passwordCost))) {
    throw usageError(
      'PASSWORD_WRONG',
      'The old password is not right: nothing was changed.',
      'type it again; an admin can set a new one with `callsheet users password NAME`',
    );
  }
  const changed = await changePassword(store, { name: who, password }, { ...world, user: who });
  return { identity, passwordAt: changed.passwordAt };
}

function hasNone(who: string) {
  return new AppError('NOT_ALLOWED', `${who} did not sign in with a password, so there is none.`, {
    hint: 'users have one: `callsheet users add NAME --role ROLE`',
  });
}
