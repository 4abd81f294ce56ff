import { nameIn } from '../../results/person-name.ts';
import { grouped } from '../../text/amounts.ts';
import type { E164 } from '../../domain/phone.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { requireConfirmed } from '../require-confirmed.ts';
import { historyEntry, type World } from '../world.ts';
import type { Plan } from './plan.ts';
import { counted } from '../../text/plural.ts';
import { returnLeads } from './returning-people.ts';
import { phonePages, type Numbers } from './phone-pages.ts';

/** How many of the people who would leave are named. */
const NAMED = 3;
/** The usual share of people who disappear from a list in a day; a larger share suggests a truncated list. */
const USUAL_SHARE = 0.2;

/**
 * Asks before many people leave a campaign, because a truncated list looks like one from which people were removed.
 *
 * @throws AppError `NOT_CONFIRMED` (exit 2), before anything was changed
 */
export async function confirmSync(
  plan: Pick<Plan, 'phones' | 'campaign' | 'store' | 'progress'>,
  yes: boolean,
  world: World,
): Promise<void> {
  const { phones, campaign, store, progress } = plan;
  if (campaign === undefined || store === undefined) return;
  const open = { store, campaign, world };
  const waiting = progress?.waiting ?? 0;
  const some: E164[] = [];
  let leaving = 0;
  for await (const outside of waitingOutside(open, phones)) {
    some.push(...outside.slice(0, NAMED - some.length));
    leaving += outside.length;
  }
  if (leaving <= waiting * USUAL_SHARE) return;
  const who = await Promise.all(some.map((phone) => personIn(open, phone)));
  const more = leaving > who.length ? ` and ${grouped(leaving - who.length)} more` : '';
  const what = `${grouped(leaving)} of ${grouped(waiting)} waiting people are not on this list and would not be called: ${who.join(', ')}${more}.`;
  world.tell(what);
  if (yes) return;
  const hint = 'check whether the list was cut short; if it is complete, give --yes';
  await requireConfirmed(
    {
      question: 'Is the list complete? Type yes to take them out of the campaign:',
      needed: `--sync would take ${grouped(leaving)} of ${grouped(waiting)} waiting people out`,
      undone: 'nobody was removed, nothing was changed',
      retry: hint,
      hint,
    },
    world,
  );
}

/**
 * Applies `--sync` for a list that was imported before. The import counts as open meanwhile: nobody who is to leave is
 * called, and if this is interrupted, the next import or run finishes it.
 */
export async function syncKnown(plan: Plan, open: OpenCampaign): Promise<number> {
  const { known, surveys, phones } = plan;
  const { store, campaign, world } = open;
  const list = known.find((one) => surveys.every(({ sha256 }) => sha256 !== one.sha256));
  if (list === undefined) return 0;
  const owner = { ...world.owner, seenAt: world.clock.now() };
  await store.beginList(campaign.id, { ...list, complete: true, importer: owner });
  const seen = () => store.importSeen(list.id, world.owner, world.clock.now());
  const left = await cancelLeft(open, phones, seen);
  await returnLeads(open, phones);
  await store.finishList(list.id, list);
  return left;
}

/** Cancels at most 1,000 leads per transaction, so as not to delay a runner; `seen` is called after each. */
export async function cancelLeft(open: OpenCampaign, phones: Numbers, seen: () => Promise<void>) {
  const { store, campaign, world } = open;
  let left = 0;
  for await (const outside of waitingOutside(open, phones)) {
    left += await store.cancelWaiting(campaign.id, outside, 'left_list');
    await seen();
  }
  let inCall = 0;
  for await (const calling of phonePages(open, 'callingPhones', (phone) => !phones.has(phone))) {
    await store.cancelWaiting(campaign.id, calling, 'left_list');
    inCall += calling.length;
  }
  const detail = { cancelled: left, inCall, onList: phones.size };
  await store.addHistory(campaign.id, historyEntry(world, 'leads.synced', detail));
  const are = left === 1 ? 'is' : 'are';
  world.tell(`${counted(left, 'waiting lead')} not on this list ${are} cancelled.`);
  if (inCall > 0) {
    const who = counted(inCall, 'person', 'people');
    world.tell(
      `${who} not on this list ${inCall === 1 ? 'is' : 'are'} in a call, and not called again.`,
    );
  }
  return left;
}

/** The numbers of waiting leads that are not on a list, up to 1,000 at a time. */
export function waitingOutside(open: OpenCampaign, phones: Numbers): AsyncGenerator<E164[]> {
  return phonePages(open, 'waitingPhones', (phone) => !phones.has(phone));
}

/** A lead for a message: `Al Mill (+12125550100)`, or the number alone. */
async function personIn({ store, campaign: { id } }: OpenCampaign, phone: E164): Promise<string> {
  const lead = (await store.findLeads(phone, 20)).find(({ campaignId }) => campaignId === id);
  const list = (await store.lists(id)).find(({ number }) => number === lead?.list);
  const name = nameIn(list, lead?.cells ?? []);
  return name === null ? phone : `${name} (${phone})`;
}
