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

/** What somebody with a role may read. */
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
 *
 * @throws AppError `ACCESS_NAME_INVALID` (exit 2)
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
 * @throws AppError `NOT_ALLOWED`
 */
export function requireTranscripts({ who, transcripts }: Asking, what: string): void {
  if (transcripts) return;
  throw notAllowed(`${what} hold whole numbers and what was said, which ${who} may not read.`);
}

/**
 * Refuses to search for a part of a number on behalf of somebody who sees masked numbers: digit by digit, the answers
 * would give them away. A person who has the whole number, from its `+` on, may look it up.
 *
 * @throws AppError `NOT_ALLOWED`
 */
export function requireSearchable({ who, transcripts }: Asking, text: string): void {
  if (transcripts || !text.split(/\s+/).some((word) => digitsIn(word) >= TELLING_DIGITS)) return;
  if (/^\+[\d\s()./-]+$/.test(text.trim()) && digitsIn(text) >= SHORTEST_NUMBER) return;
  throw notAllowed(`${who} finds people by words, or by a whole number from its + on.`);
}

const SHORTEST_NUMBER = 7;
/** Fewer digits tell nothing of a number. */
const TELLING_DIGITS = 3;

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
 * @throws AppError `SETTING_NOT_HERE` (exit 2)
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
