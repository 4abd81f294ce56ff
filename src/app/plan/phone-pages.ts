import type { E164 } from '../../domain/phone.ts';
import type { OpenCampaign } from '../places/databases.ts';

/** A set of E.164 numbers, however it is kept. */
export type Numbers = Pick<ReadonlySet<string>, 'has' | 'size'>;

/** So many numbers are asked of the store at once. */
export const NUMBERS_AT_ONCE = 1_000;

/** The wanted numbers of a campaign, in order, of leads that wait or that have left its lists, up to 1,000 at a time. */
export async function* phonePages(
  { store, campaign }: Pick<OpenCampaign, 'store' | 'campaign'>,
  whose: 'waitingPhones' | 'leftPhones',
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
