import { counted } from '../../text/plural.ts';
import type { List } from '../../store/port.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { historyEntry } from '../world.ts';
import { phonePages, type Numbers } from './phone-pages.ts';

/** A list that is in already is no later one: it brings nobody back who has left since. */
export function bringsBack(known: readonly List[], sha256: string): boolean {
  const same = known.find((list) => list.sha256 === sha256);
  return same === undefined || same.finishedAt === null;
}

/** How many of those who had left a list are on this one. */
export async function countReturning(open: OpenCampaign, phones: Numbers): Promise<number> {
  let count = 0;
  for await (const some of leftAndOn(open, phones)) count += some.length;
  return count;
}

/** Whoever had left a list and is on this one waits again, and the operator is told how many. */
export async function returnLeads(open: OpenCampaign, phones: Numbers): Promise<number> {
  const { store, campaign, world } = open;
  let back = 0;
  for await (const some of leftAndOn(open, phones))
    back += await store.waitAgain(campaign.id, some, world.clock.now());
  if (back === 0) return 0;
  await store.addHistory(campaign.id, historyEntry(world, 'leads.returned', { back }));
  const who = counted(back, 'person', 'people');
  const wait = back === 1 ? 'is back and waits' : 'are back and wait';
  world.tell(`${who} who had left the list ${wait} again.`);
  return back;
}

function leftAndOn(open: OpenCampaign, phones: Numbers) {
  return phonePages(open, 'leftPhones', (phone) => phones.has(phone));
}
