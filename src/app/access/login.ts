import { usageError } from '../../runtime/errors.ts';
import type { ConsoleStore } from '../../store/console.ts';
import type { World } from '../world.ts';
import { mayReadTranscripts, type Identity } from './identity.ts';
import { NOBODY } from './log-words.ts';
import { isPassword } from './passwords.ts';

/** Somebody whose password was right. */
export interface Login {
  identity: Identity;
  /** When that password was set, epoch ms: a session begins only while it is still the password. */
  passwordAt: number;
}

/**
 * Checks name and password, and notes in the log how that ended; what was typed as a name is noted only if it is one,
 * because people type passwords there. An unknown name takes as long and is answered the same as a wrong password.
 * How often it may be tried is the caller's to limit.
 *
 * @param typed.from the address, for the log
 * @throws AppError `LOGIN_REFUSED` (exit 2)
 */
export async function checkLogin(
  store: ConsoleStore,
  { name, password, from }: { name: string; password: string; from?: string },
  { clock, passwordCost }: Pick<World, 'clock' | 'passwordCost'>,
): Promise<Login> {
  const user = await store.findUser(name);
  const isRight = await isPassword(password, user?.password, passwordCost);
  const outcome = isRight ? 'done' : 'refused';
  const who = user?.name ?? NOBODY;
  const detail = from === undefined ? {} : { from };
  await store.appendLog({
    ...{ at: clock.now(), who, what: 'login.tried', target: null },
    ...{ outcome, detail },
  });
  if (user === undefined || !isRight) throw loginRefused();
  const { role, changedAt: passwordAt } = user;
  const transcripts = mayReadTranscripts(user);
  return { identity: { who: user.name, kind: 'user', role, transcripts }, passwordAt };
}

/** The same sentence for an unknown name, a wrong password, and one that was changed meanwhile. */
export function loginRefused() {
  return usageError(
    'LOGIN_REFUSED',
    'Name and password do not go together.',
    'try again; an admin can set a new password with `callsheet users password NAME`',
  );
}
