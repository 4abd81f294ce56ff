import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { usageError } from '../../runtime/errors.ts';

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
 *
 * @throws AppError `PASSWORD_TOO_SHORT`, `PASSWORD_GUESSABLE` (exit 2)
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
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}

function normal(password: string): string {
  return password.normalize('NFKC').trim();
}
