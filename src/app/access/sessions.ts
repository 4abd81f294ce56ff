import { usageError } from '../../runtime/errors.ts';
import { randomSecret, secretHash } from '../../runtime/random.ts';
import type { ConsoleStore, TokenRecord } from '../../store/console.ts';
import { timesIn } from '../../text/times.ts';
import type { MadeToken, Token, Tokens } from '../../views/access.ts';
import type { World } from '../world.ts';
import { isPassword, mayReadTranscripts, requireName, type Identity } from './identity.ts';
import { NOBODY, noteChange, type Actor, type Zone } from './log.ts';

/** How long a session lasts, ms, whatever is done in it. */
export const SESSION_MS = 12 * 3_600_000;
/** How long a one-time link can be used, ms. */
const LINK_MS = 5 * 60_000;

/** A session that has begun: the only time that the cookie's value is known here. */
interface BegunSession {
  /** 43 characters of base64url. */
  cookie: string;
  /** Epoch ms. */
  expiresAt: number;
  identity: Identity;
}

/**
 * Begins a session of 12 hours for somebody whose login was right.
 *
 * @throws AppError `LOGIN_REFUSED` (exit 2) when the password was changed, or the user removed, meanwhile
 */
export async function createSession(
  store: ConsoleStore,
  { identity, passwordAt }: Login,
  { clock }: Pick<World, 'clock'>,
): Promise<BegunSession> {
  const { cookie, ...session } = newSession(clock.now());
  if (!(await store.addSession({ ...session, user: identity.who, passwordAt })))
    throw loginRefused();
  return { cookie, expiresAt: session.expiresAt, identity };
}

/** Who has the cookie, as they are now; undefined: nobody, or no longer. */
export async function findSession(
  store: ConsoleStore,
  cookie: string,
  world: Pick<World, 'clock' | 'user'>,
): Promise<(Identity & { expiresAt: number }) | undefined> {
  const found = await store.findSession({ hash: secretHash(cookie), now: world.clock.now() });
  if (found === undefined) return undefined;
  const { user, expiresAt } = found;
  if (user === null) return { ...linkIdentity(world), expiresAt };
  const { name, role } = user;
  return { who: name, kind: 'user', role, transcripts: mayReadTranscripts(user), expiresAt };
}

/** Ends a session; nothing happens if there is none. */
export async function endSession(store: ConsoleStore, cookie: string): Promise<void> {
  await store.endSession(secretHash(cookie));
}

/** Makes the secret part of a link that can be used once within 5 minutes, by the admin of this machine. */
export async function createLink(
  store: ConsoleStore,
  { clock }: Pick<World, 'clock'>,
): Promise<{ text: string; expiresAt: number }> {
  const text = randomSecret();
  const now = clock.now();
  const expiresAt = now + LINK_MS;
  await store.addLink({ hash: secretHash(text), expiresAt, now });
  return { text, expiresAt };
}

/**
 * Uses a link up and begins its session; how that ended is noted in the log. How often it may be tried is the caller's
 * to limit.
 *
 * @param link.from the address, for the log
 * @throws AppError `LINK_REFUSED` (exit 2) for one that is unknown, used or too old, each told the same
 */
export async function useLink(
  store: ConsoleStore,
  { text, from }: { text: string; from?: string },
  world: Pick<World, 'clock' | 'user'>,
): Promise<BegunSession> {
  const { cookie, ...session } = newSession(world.clock.now());
  const hash = secretHash(text);
  const isGood = await store.useLink({ hash, session: { ...session, user: null } });
  const identity = linkIdentity(world);
  await store.appendLog({
    ...{ at: session.createdAt, who: isGood ? identity.who : NOBODY, what: 'link.used' },
    ...{ target: null, outcome: isGood ? 'done' : 'refused' },
    detail: from === undefined ? {} : { from },
  });
  if (!isGood)
    throw usageError(
      'LINK_REFUSED',
      'This link was used already, or is older than 5 minutes.',
      '`callsheet console --link` prints a new one',
    );
  return { cookie, expiresAt: session.expiresAt, identity };
}

function newSession(createdAt: number) {
  const cookie = randomSecret();
  return { cookie, hash: secretHash(cookie), createdAt, expiresAt: createdAt + SESSION_MS };
}

function linkIdentity({ user }: Pick<World, 'user'>): Identity {
  return { who: user, kind: 'link', role: 'admin', transcripts: true };
}

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
function loginRefused() {
  return usageError(
    'LOGIN_REFUSED',
    'Name and password do not go together.',
    'try again; an admin can set a new password with `callsheet users password NAME`',
  );
}

const TEXT = /^cs_[A-Za-z0-9_-]{43}$/;
/** A token that is used all the time is not written all the time. */
const USED_TO_MS = 60_000;

/** By name. */
export async function listTokens(store: ConsoleStore, zone: Zone): Promise<Tokens> {
  return { items: (await store.tokens()).map((token) => shown(token, zone)), next: null };
}

/** Makes a token for a program. Its text, `cs_` and 43 characters, is returned this once and kept nowhere. */
export async function createToken(
  store: ConsoleStore,
  { name, role, transcripts = false }: Pick<Token, 'name' | 'role'> & { transcripts?: boolean },
  actor: Actor & Pick<World, 'newId'>,
): Promise<MadeToken> {
  requireName('token', name);
  const token = `cs_${randomSecret()}`;
  const [id, createdAt] = [actor.newId('tok'), actor.clock.now()];
  const record = { id, name, role, transcripts, createdAt, hash: secretHash(token) };
  if (!(await store.addToken(record)))
    throw usageError(
      'TOKEN_EXISTS',
      `There is a token "${name}" already; capital and small letters are the same.`,
      `give another name, or take that one away first: \`callsheet tokens remove ${name}\``,
    );
  const made = shown({ ...record, lastUsedAt: null }, actor);
  await noteChange(store, actor, 'token.added', name, { role, transcripts: made.transcripts });
  return { ...made, token };
}

/** The token works no longer. @throws AppError `TOKEN_UNKNOWN` (exit 2) */
export async function removeToken(store: ConsoleStore, name: string, actor: Actor): Promise<Token> {
  const tokens = await store.tokens();
  const found = tokens.find((token) => token.name.toLowerCase() === name.toLowerCase());
  if (found === undefined || !(await store.removeToken(name))) throw unknown(name, tokens);
  await noteChange(store, actor, 'token.removed', found.name);
  return shown(found, actor);
}

/**
 * Whose token it is. It is looked up by its hash, so that the time it takes tells nothing of a token's text. When it
 * was last used is noted to the minute.
 */
export async function findToken(
  store: ConsoleStore,
  text: string,
  { clock }: Pick<World, 'clock'>,
): Promise<Identity | undefined> {
  if (!TEXT.test(text)) return undefined;
  const found = await store.findToken(secretHash(text));
  if (found === undefined) return undefined;
  const { id, name, role, lastUsedAt } = found;
  const at = clock.now();
  if (at - (lastUsedAt ?? 0) >= USED_TO_MS) await store.markTokenUsed({ id, at });
  return { who: `token ${name}`, kind: 'token', role, transcripts: mayReadTranscripts(found) };
}

function unknown(name: string, tokens: readonly TokenRecord[]) {
  const names = tokens.map((token) => token.name);
  const those = names.length === 0 ? 'there are none yet' : `the tokens are ${names.join(', ')}`;
  return usageError(
    'TOKEN_UNKNOWN',
    `There is no token ${JSON.stringify(name)}; ${those}.`,
    '`callsheet tokens list` shows them',
  );
}

function shown(token: TokenRecord, { timezone }: Zone): Token {
  const { name, role, createdAt, lastUsedAt } = token;
  const time = timesIn(timezone);
  return {
    ...{ name, role, transcripts: mayReadTranscripts(token) },
    ...{ createdAt: time(createdAt), lastUsedAt: time(lastUsedAt) },
  };
}
