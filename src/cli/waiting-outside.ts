import type { E164 } from '../domain/phone.ts';
import type { Store } from '../store/port.ts';

/** A set of E.164 numbers, however it is kept. */
export type Numbers = Pick<ReadonlySet<string>, 'has' | 'size'>;

export const NUMBERS_AT_ONCE = 1_000;

/** The numbers of waiting leads that are not among `phones`, up to 1,000 at a time. */
export async function* waitingOutside(
  store: Store,
  campaignId: string,
  phones: Numbers,
): AsyncGenerator<E164[]> {
  let after: E164 | null = null;
  for (;;) {
    const page: E164[] = await store.waitingPhones(campaignId, after, NUMBERS_AT_ONCE);
    const outside = page.filter((phone) => !phones.has(phone));
    if (outside.length > 0) yield outside;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
