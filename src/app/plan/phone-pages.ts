import type { E164 } from '../../domain/phone.ts';
import type { OpenCampaign } from '../places/databases.ts';

/** A set of E.164 numbers, whatever its implementation. */
export type Numbers = Pick<ReadonlySet<string>, 'has' | 'size'>;

/** How many numbers are looked up in the store at once. */
export const NUMBERS_AT_ONCE = 1_000;

/** A campaign's wanted numbers in order, up to 1,000 at a time: of leads that wait, are in a call, or left its lists. */
export async function* phonePages(
  { store, campaign }: Pick<OpenCampaign, 'store' | 'campaign'>,
  whose: 'waitingPhones' | 'callingPhones' | 'leftPhones',
  isWanted: (phone: E164) => boolean = () => true,
): AsyncGenerator<E164[]> {
  let after: E164 | null = null;
  for (;;) {
    const page: E164[] = await store[whose](campaign.id, after, NUMBERS_AT_ONCE);
    const last = page.at(-1);
    if (last === undefined) return;
    const wanted = page.filter(isWanted);
    if (wanted.length > 0) yield wanted;
    after = last;
  }
}
