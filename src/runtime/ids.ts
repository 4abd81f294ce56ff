import { hash, randomUUID } from 'node:crypto';

/** Makes ids such as `cmp_5f0c...`; passed as a value, so that tests can use predictable ids. */
export type NewId = (prefix: string) => string;

export const randomId: NewId = (prefix) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

/** The first `length` hex digits of the SHA-256 over `parts`, joined by a byte that occurs in none of them. */
export function shortHash(parts: readonly (string | number)[], length = 32): string {
  return hash('sha256', parts.join('\u001f')).slice(0, length);
}
