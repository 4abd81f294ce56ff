import type { E164 } from '../../domain/phone.ts';

/** So many numbers are asked of the store at once. */
export const NUMBERS_AT_ONCE = 1_000;

/**
 * All numbers that the store gives in order, a page at a time.
 *
 * @param read at most NUMBERS_AT_ONCE numbers behind `after` (null: from the first one)
 */
export async function* phonePages(
  read: (after: E164 | null, limit: number) => Promise<E164[]>,
): AsyncGenerator<E164[]> {
  let after: E164 | null = null;
  for (;;) {
    const page: E164[] = await read(after, NUMBERS_AT_ONCE);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
}
