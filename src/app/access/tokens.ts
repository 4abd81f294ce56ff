import { usageError } from '../../runtime/errors.ts';
import { randomSecret, secretHash } from '../../runtime/random.ts';
import type { ConsoleStore, TokenRecord } from '../../store/console.ts';
import { timesIn } from '../../text/times.ts';
import type { MadeToken, Token, Tokens } from '../../views/access.ts';
import type { World } from '../world.ts';
import { noteChange, type Actor, type Zone } from './log.ts';
import { mayReadTranscripts, requireName, type Identity } from './identity.ts';

const TEXT = /^cs_[A-Za-z0-9_-]{43}$/;
/** A token that is used all the time is not written all the time. */
const USED_TO_MS = 60_000;

/** By name. */
export async function listTokens(store: ConsoleStore, zone: Zone): Promise<Tokens> {
  return { items: (await store.tokens()).map((token) => shown(token, zone)), next: null };
}

/**
 * Makes a token for a program. Its text, `cs_` and 43 characters, is returned this once and kept nowhere.
 *
 * @throws AppError `ACCESS_NAME_INVALID`, `TOKEN_EXISTS` (exit 2)
 */
export async function createToken(
  store: ConsoleStore,
  { name, role, transcripts = false }: Pick<Token, 'name' | 'role'> & { transcripts?: boolean },
  actor: Actor & Pick<World, 'newId'>,
): Promise<MadeToken> {
  requireName('token', name);
  const token = `cs_${randomSecret()}`;
  const [id, createdAt] = [actor.newId('tok'), actor.clock.now()];
  const record = { id, name, role, transcripts, createdAt, hash: secretHash(token) };
  if (!(await store.addToken(record))) throw exists(name);
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

function exists(name: string) {
  return usageError(
    'TOKEN_EXISTS',
    `There is a token "${name}" already; capital and small letters are the same.`,
    `give another name, or take that one away first: \`callsheet tokens remove ${name}\``,
  );
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
