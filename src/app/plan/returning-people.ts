import type { E164 } from '../../domain/phone.ts';
import { grouped } from '../../text/amounts.ts';
import type { Campaign, List, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { phonePages } from './phone-pages.ts';
import type { Numbers } from './waiting-outside.ts';

/** A list that is in already is no later one: it brings nobody back who has left since. */
export function bringsBack(known: readonly List[], sha256: string): boolean {
  const same = known.find((list) => list.sha256 === sha256);
  return same === undefined || same.finishedAt === null;
}

/** How many of those who had left a list are on this one. */
export async function countReturning(
  store: Store,
  campaignId: string,
  phones: Numbers,
): Promise<number> {
  let count = 0;
  for await (const some of leftAndOn(store, campaignId, phones)) count += some.length;
  return count;
}

/** Whoever had left a list and is on this one waits again, and the operator is told how many. */
export async function returnLeads(
  store: Store,
  campaign: Campaign,
  phones: Numbers,
  world: World,
): Promise<number> {
  let back = 0;
  for await (const some of leftAndOn(store, campaign.id, phones)) {
    back += await store.waitAgain(campaign.id, some, world.clock.now());
  }
  if (back === 0) return 0;
  const entry = {
    at: world.clock.now(),
    who: world.user,
    what: 'leads.returned',
    detail: { back },
  };
  await store.addHistory(campaign.id, entry);
  const who = back === 1 ? '1 person' : `${grouped(back)} people`;
  const wait = back === 1 ? 'is back and waits' : 'are back and wait';
  world.tell(`${who} who had left the list ${wait} again.`);
  return back;
}

/** Up to 1,000 at a time. */
async function* leftAndOn(
  store: Store,
  campaignId: string,
  phones: Numbers,
): AsyncGenerator<E164[]> {
  const left = phonePages((after, limit) => store.leftPhones(campaignId, after, limit));
  for await (const page of left) {
    const back = page.filter((phone) => phones.has(phone));
    if (back.length > 0) yield back;
  }
}
