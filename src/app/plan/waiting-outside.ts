import type { E164 } from '../../domain/phone.ts';
import type { Store } from '../../store/port.ts';
import { phonePages } from './phone-pages.ts';

/** A set of E.164 numbers, however it is kept. */
export type Numbers = Pick<ReadonlySet<string>, 'has' | 'size'>;

/** The numbers of waiting leads that are not among `phones`, up to 1,000 at a time. */
export async function* waitingOutside(
  store: Store,
  campaignId: string,
  phones: Numbers,
): AsyncGenerator<E164[]> {
  const waiting = phonePages((after, limit) => store.waitingPhones(campaignId, after, limit));
  for await (const page of waiting) {
    const outside = page.filter((phone) => !phones.has(phone));
    if (outside.length > 0) yield outside;
  }
}
