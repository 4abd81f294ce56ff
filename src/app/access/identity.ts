import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

import { isPath } from '../../config/campaign-file.ts';
import { rowOf } from '../../config/table/settings-table.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import type { Role } from '../../store/console.ts';
import { shellWord } from '../../text/wording.ts';

/** From the one that may do least to the one that may do all. */
export const ROLES = ['viewer', 'operator', 'admin'] as const satisfies readonly Role[];

/** Who asks, and what they may do. */
export interface Identity {
  /** For the log: a user's name, `token NAME`, or, for the one-time link, the operating-system user. */
  who: string;
  kind: 'link' | 'user' | 'token';
  role: Role;
  /** May read transcripts and whole numbers: operators and admins always, a viewer only if that was given. */
  transcripts: boolean;
}

export function mayReadTranscripts({ role, transcripts }: Omit<Identity, 'who' | 'kind'>): boolean {
  return role !== 'viewer' || transcripts;
}

/** True when `role` may do what `needed` may do. */
export function hasRole({ role }: Pick<Identity, 'role'>, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

// It begins with a letter or a digit, so that it is neither an option nor a step to another folder in an address.
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/**
 * Refuses what cannot be the name of a user or token: 1 to 64 of letters, digits, `.`, `-`, `_`, `@`, the first a
 * letter or a digit.
 */
export function requireName(what: 'user' | 'token', name: string): void {
  if (NAME.test(name)) return;
  throw usageError(
    'ACCESS_NAME_INVALID',
    `The name of the ${what} ${JSON.stringify(name.slice(0, 80))} is not 1 to 64 of the letters a to z, digits, ".", "-", "_" and "@", beginning with a letter or digit.`,
    `give the ${what} a name such as ${what === 'user' ? 'ann@example.com' : 'crm'}`,
  );
}

type Asking = Pick<Identity, 'who' | 'transcripts'>;

/**
 * Refuses who may not read whole numbers and what was said.
 *
 * @param what begins the sentence, e.g. `The results`
 */
export function requireTranscripts({ who, transcripts }: Asking, what: string): void {
  if (transcripts) return;
  throw notAllowed(`${what} hold whole numbers and what was said, which ${who} may not read.`);
}

/**
 * Refuses to search for a part of a number on behalf of somebody who sees masked numbers: digit by digit, the answers
 * would give them away. A person who has the whole number, from its `+` on, may look it up; the search has to take it
 * for no beginning of another one.
 */
export function requireSearchable({ who, transcripts }: Asking, text: string): void {
  const isNumber = /^[+\d\s()./-]+$/.test(text);
  // A pair of digits, or one, tells as well who has it in a cell with a number.
  if (transcripts || digitsIn(text) === 0) return;
  if (isNumber && text.trim().startsWith('+') && digitsIn(text) >= SHORTEST_NUMBER) return;
  throw notAllowed(`${who} finds people by words, or by a whole number from its + on.`);
}

const SHORTEST_NUMBER = 7;

function digitsIn(text: string): number {
  return text.replaceAll(/\P{Nd}/gu, '').length;
}

function notAllowed(message: string): AppError {
  const hint = 'an admin may allow it: `callsheet users set NAME --role viewer --transcripts`';
  return new AppError('NOT_ALLOWED', message, { hint });
}

/**
 * Refuses settings that reach the machine of the console: a program that gets notices, a file that results are written to
 * or rules are read from, a key that is sent with a list. A person who may run campaigns need not have a shell here.
 *
 * @param sets `key=value`, as `callsheet set` takes them
 */
export function requireRemoteSettings(sets: readonly string[], campaign: string): void {
  for (const set of sets) {
    const [, key = '', value = ''] = /^([^=]*)=?(.*)/s.exec(set) ?? [];
    const name = key.trim();
    const reason =
      name === 'rules' && value.split(',').some((rule) => isPath(rule.trim()))
        ? 'names a file of this machine'
        : rowOf(name)?.onlyHere;
    if (reason === undefined) continue;
    throw usageError(
      'SETTING_NOT_HERE',
      `"${name}" ${reason}, so it is not set from a page.`,
      `set it in a terminal there: \`callsheet set ${shellWord(campaign)} ${name}=...\``,
    );
  }
}

/** In characters. */
const SHORTEST = 12;
/**
 * One of the settings of https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html that count
 * as equally strong (scrypt: N=2^15, r=8, p=3). It takes 32 MiB for a few tenths of a second.
 */
const COST: PasswordCost = { ln: 15, r: 8, p: 3 };
/** The work of scrypt for one password: `N` is 2 to the power of `ln`. */
export interface PasswordCost {
  ln: number;
  r: number;
  p: number;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * The password as it is hashed: without spaces around it, which a terminal and a browser treat differently, and with
 * each letter written in one way (NFKC).
 */
export function requireGoodPassword(name: string, password: string): string {
  const plain = normal(password);
  const { length } = Array.from(plain);
  if (length < SHORTEST) {
    throw usageError(
      'PASSWORD_TOO_SHORT',
      `The password has ${length} ${length === 1 ? 'character' : 'characters'}; at least ${SHORTEST} are needed.`,
      'choose a longer one; four or five words in a row are easy to keep in mind',
    );
  }
  if (plain.toLowerCase() === name.toLowerCase()) {
    throw usageError(
      'PASSWORD_GUESSABLE',
      'The password is the name itself.',
      'choose one that does not follow from the name; four or five words in a row are easy to keep in mind',
    );
  }
  return plain;
}

/** `$scrypt$ln=15,r=8,p=3$SALT$HASH`, both in base64: the PHC string format. */
export async function passwordHash(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return phc(salt, await derived(normal(password), salt, cost), cost);
}

/**
 * Whether it is the password of that hash. Without a hash the same work is done, and the answer is no: how long it
 * takes does not tell whether there is such a user.
 */
export async function isPassword(
  password: string,
  stored: string | undefined,
  cost = COST,
): Promise<boolean> {
  const [, , work = '', salt = '', hash = ''] = (stored ?? nobodys(cost)).split('$');
  const [ln, r, p] = [...work.matchAll(/=(\d+)/g)].map(([, digits]) => Number(digits));
  if (ln === undefined || r === undefined || p === undefined)
    throw new Error('a stored password is not in the format of this program');
  const wanted = Buffer.from(hash, 'base64');
  const found = await derived(normal(password), Buffer.from(salt, 'base64'), { ln, r, p });
  const isEqual = wanted.length === found.length && timingSafeEqual(wanted, found);
  return isEqual && stored !== undefined;
}

function phc(salt: Buffer, hash: Buffer, { ln, r, p }: PasswordCost): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

const nobodys = (cost: PasswordCost) =>
  phc(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES), cost);

/** Works in a thread of its own, so that calls go on meanwhile. */
function derived(password: string, salt: Buffer, { ln, r, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** ln;
  // Twice what it needs: the default of Node is just too little.
  const options = { N, r, p, maxmem: 2 * 128 * N * r };
  return new Promise((resolve, reject) =>
    scrypt(password, salt, HASH_BYTES, options, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    }),
  );
}

function normal(password: string): string {
  return password.normalize('NFKC').trim();
}
