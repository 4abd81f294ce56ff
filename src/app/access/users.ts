import { AppError, usageError } from '../../runtime/errors.ts';
import type { ConsoleStore, UserRecord } from '../../store/console.ts';
import { timesIn } from '../../text/times.ts';
import type { User, Users } from '../../views/access.ts';
import {
  isPassword,
  mayReadTranscripts,
  passwordHash,
  requireGoodPassword,
  requireName,
  type Identity,
} from './identity.ts';
import { noteChange, type Actor, type Zone } from './log.ts';
import type { Login } from './sessions.ts';

interface NewUser extends Pick<UserRecord, 'name' | 'role' | 'password'> {
  /** Of a viewer; default false. */
  transcripts?: boolean;
}

/** By name. */
export async function listUsers(store: ConsoleStore, zone: Zone): Promise<Users> {
  return { items: (await store.users()).map((user) => shown(user, zone)), next: null };
}

/** Adds a user, and notes it in the log. */
export async function addUser(store: ConsoleStore, user: NewUser, actor: Actor): Promise<User> {
  const { name, role, transcripts = false } = user;
  await requireNewUser(store, name);
  const password = await passwordHash(requireGoodPassword(name, user.password), actor.passwordCost);
  const now = actor.clock.now();
  const record = { name, role, transcripts, password, changedAt: now, createdAt: now };
  if (!(await store.addUser(record))) throw exists(name);
  const added = shown(record, actor);
  await noteChange(store, actor, 'user.added', name, { role, transcripts: added.transcripts });
  return added;
}

/** Whether the only admin may be taken away; default false. */
interface LastAdmin {
  lastAdmin?: boolean;
}

/** Removes a user, whose sessions end. @throws AppError `USER_UNKNOWN`, `LAST_ADMIN` (exit 2) */
export async function removeUser(
  store: ConsoleStore,
  name: string,
  actor: Actor,
  { lastAdmin = false }: LastAdmin = {},
): Promise<User> {
  const user = await requireUser(store, name);
  if (!(await store.removeUser({ name, keepsAdmin: !lastAdmin })))
    throw await whyNot(store, user, `users remove ${user.name}`);
  await noteChange(store, actor, 'user.removed', user.name);
  return shown(user, actor);
}

/** Sets a password; all sessions of the user end. */
export async function changePassword(
  store: ConsoleStore,
  { name: given, password }: Pick<NewUser, 'name' | 'password'>,
  actor: Actor,
): Promise<User> {
  return shown(await replacePassword(store, { name: given, password }, actor), actor);
}

async function replacePassword(
  store: ConsoleStore,
  { name: given, password }: Pick<NewUser, 'name' | 'password'>,
  actor: Actor,
): Promise<UserRecord> {
  const user = await requireUser(store, given);
  const { name } = user;
  const changedAt = actor.clock.now();
  const hash = await passwordHash(requireGoodPassword(name, password), actor.passwordCost);
  if (!(await store.setPassword({ name, password: hash, changedAt })))
    throw await unknownUser(store, name);
  await noteChange(store, actor, 'password.changed', name);
  return { ...user, changedAt };
}

/** Gives a user another role, which holds from their next request on. */
export async function setRole(
  store: ConsoleStore,
  { name: given, role, transcripts = false }: Omit<NewUser, 'password'>,
  actor: Actor,
  { lastAdmin = false }: LastAdmin = {},
): Promise<User> {
  const user = await requireUser(store, given);
  const { name } = user;
  if (!(await store.setRole({ name, role, transcripts, keepsAdmin: !lastAdmin })))
    throw await whyNot(store, user, `users set ${name} --role ${role}`);
  const after = shown({ ...user, role, transcripts }, actor);
  const detail = { before: user.role, role, transcripts: after.transcripts };
  await noteChange(store, actor, 'user.changed', name, detail);
  return after;
}

export async function requireUser(store: ConsoleStore, name: string): Promise<UserRecord> {
  const found = await store.findUser(name);
  if (found === undefined) throw await unknownUser(store, name);
  return found;
}

/** To be asked before a password is typed. @throws AppError `ACCESS_NAME_INVALID`, `USER_EXISTS` (exit 2) */
export async function requireNewUser(store: ConsoleStore, name: string): Promise<void> {
  requireName('user', name);
  if ((await store.findUser(name)) !== undefined) throw exists(name);
}

/** @param command what does it all the same, with --force */
async function whyNot(store: ConsoleStore, { name }: UserRecord, command: string) {
  if ((await store.findUser(name)) === undefined) return unknownUser(store, name);
  return usageError(
    'LAST_ADMIN',
    `${name} is the only admin: without one, users and tokens can be changed on the command line alone.`,
    `make somebody else an admin first, or \`callsheet ${command} --force\``,
  );
}

function exists(name: string) {
  return usageError(
    'USER_EXISTS',
    `There is a user "${name}" already; capital and small letters are the same.`,
    `\`callsheet users set ${name} --role ROLE\` changes the role, \`callsheet users password ${name}\` the password`,
  );
}

async function unknownUser(store: ConsoleStore, name: string) {
  const names = (await store.users()).map((user) => user.name);
  const those = names.length === 0 ? 'there are none yet' : `the users are ${names.join(', ')}`;
  return usageError(
    'USER_UNKNOWN',
    `There is no user ${JSON.stringify(name)}; ${those}.`,
    '`callsheet users list` shows them, `callsheet users add NAME --role ROLE` adds one',
  );
}

function shown(user: UserRecord, { timezone }: Zone): User {
  const { name, role, createdAt, changedAt } = user;
  const time = timesIn(timezone);
  return {
    ...{ name, role, transcripts: mayReadTranscripts(user) },
    ...{ createdAt: time(createdAt), passwordAt: time(changedAt) },
  };
}

/**
 * Sets the password of the user who asks and gives the old one: a browser that was left open is not enough. All
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
  world: Omit<Actor, 'user'>,
): Promise<Login> {
  const { who, kind } = identity;
  if (kind !== 'user')
    throw new AppError('NOT_ALLOWED', `${who} did not sign in with a password, so there is none.`, {
      hint: 'users have one: `callsheet users add NAME --role ROLE`',
    });
  const user = await store.findUser(who);
  if (!(await isPassword(old, user?.password, world.passwordCost))) {
    throw usageError(
      'PASSWORD_WRONG',
      'The old password is not right: nothing was changed.',
      'type it again; an admin can set a new one with `callsheet users password NAME`',
    );
  }
  const changed = await replacePassword(store, { name: who, password }, { ...world, user: who });
  return { identity, passwordAt: changed.changedAt };
}
