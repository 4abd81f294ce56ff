import { usageError } from '../../runtime/errors.ts';

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
