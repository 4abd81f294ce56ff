import { counted } from '../../text/plural.ts';
import type { List } from '../../store/port.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { historyEntry } from '../world.ts';
import { phonePages, type Numbers } from './phone-pages.ts';

/** False for a list that was imported completely before: it brings back nobody who has left the lists since. */
export function bringsBack(known: readonly List[], sha256: string): boolean {
  const same = known.find((list) => list.sha256 === sha256);
  return same === undefined || same.finishedAt === null;
}

/** How many leads that had left a list are among `phones`. */
export async function countReturning(open: OpenCampaign, phones: Numbers): Promise<number> {
  let count = 0;
  for await (const some of leftAndOn(open, phones)) count += some.length;
  return count;
}

/** Leads that had left a list and are among `phones` wait again; the operator is told how many. */
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
