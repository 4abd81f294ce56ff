import { GIVEN_UP_AFTER_MS, nextTry } from '../../domain/notices/backoff.ts';
import type { NoticeTarget } from '../../domain/notices/target.ts';
import type { Log } from '../../runtime/log.ts';
import type { ClaimedSend, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { send } from './send.ts';
import { receivers, type Receiver } from './targets.ts';

export interface DeliveryDesk {
  store: Store;
  /** The targets of services.yaml. */
  own: readonly NoticeTarget[];
  log: Log;
}

/** How long a process has to send what it has claimed: longer than a command or a webhook may take. */
const LEASE_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
/** A receiver that takes long for each has the rest at the next look: what is new for others does not wait for it. */
const LONGEST_LOOK_MS = 60_000;
/** Notices to receivers that nobody knows any more are looked for so seldom. */
const EXPIRE_EVERY_MS = 60 * 60_000;

/**
 * Sends what is due, each notice once: whoever claims it sends it, and records what became of it. A process that dies in
 * between leaves its claim, which ends after a minute; the notice then goes out again with the same id.
 *
 * A receiver gets its notices one after another, as they were written: that a night has ended does not overtake that it has
 * begun. One that fails, or takes more than a minute for all of them, is left alone until the next look.
 *
 * @returns how many were tried
 */
export async function deliverDue(desk: DeliveryDesk, world: World): Promise<number> {
  const { store, own } = desk;
  const due = await store.dueTargets({ now: world.clock.now(), leaseMs: LEASE_MS });
  if (due.length === 0) return 0;
  const campaigns = await store.listCampaigns();
  const known = receivers(
    own,
    campaigns.map(({ settings }) => settings),
  );
  const tried = await Promise.all(
    due.map((target) => sendInTurn(target, known.get(target), desk, world)),
  );
  return tried.reduce((sum, each) => sum + each, 0);
}

/** Sends a receiver what is due until a try fails or a minute is over. @returns how many were tried */
async function sendInTurn(
  target: string,
  receiver: Receiver | undefined,
  desk: DeliveryDesk,
  world: World,
): Promise<number> {
  if (receiver === undefined) return 0;
  const { clock } = world;
  const until = clock.monotonic() + LONGEST_LOOK_MS;
  let tried = 0;
  for (let goesOn = true; goesOn && clock.monotonic() < until;) {
    const by = world.newId('lease');
    const claim = { targets: [target], by, now: clock.now(), leaseMs: LEASE_MS, limit: 1 };
    const [next] = await desk.store.claimNotices(claim);
    if (next === undefined) break;
    goesOn = await sendOne(next, by, receiver, desk, world);
    tried += 1;
  }
  return tried;
}

/** Sends what is due until `signal` aborts; what is being sent then comes to its end. Never rejects. */
export async function deliverUntil(
  signal: AbortSignal,
  desk: DeliveryDesk,
  world: World,
): Promise<void> {
  const { clock } = world;
  let expireAt = -Infinity;
  let fails = false;
  while (!signal.aborted) {
    try {
      if (clock.monotonic() >= expireAt) {
        expireAt = clock.monotonic() + EXPIRE_EVERY_MS;
        await giveUpStrangers(desk, world);
      }
      await deliverDue(desk, world);
      fails = false;
    } catch (error) {
      // The database fails, which whoever calls people reports; notices wait in it.
      if (!fails) world.keepStack(error);
      fails = true;
    }
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
}

/** @returns whether it has come to its receiver */
async function sendOne(
  { id, target, shown, tries, at, body, folded }: ClaimedSend,
  by: string,
  receiver: Receiver,
  { store, log }: DeliveryDesk,
  world: World,
): Promise<boolean> {
  const full = folded.length === 0 ? body : { ...body, folded: folded.map(shownRepeats) };
  const { event, campaign, text } = body as Record<string, string>;
  const result = await send(
    receiver,
    {
      id,
      event: event ?? '',
      campaign: campaign ?? null,
      text: text ?? '',
      json: JSON.stringify(full),
    },
    log,
    world,
  );
  const { clock, random } = world;
  const now = clock.now();
  if (result.ok) {
    log.info('notice.sent', { notice: id, to: shown, tries });
    await store.noticeSent({ id, target }, now);
    return true;
  }
  const { why, retryAfterMs } = result;
  const nextAt = nextTry({ tries, writtenAt: at, now, retryAfterMs, chance: random() });
  log.warn('notice.failed', { notice: id, to: shown, tries, why, nextAt });
  await store.noticeFailed({ id, target, by }, { at: now, why, nextAt });
  const what = `A notice (${event ?? ''}) did not come to ${shown}: ${why}`;
  if (nextAt === null)
    world.tell(`${what}. It is given up after ${tries} tries; ${LOOK}.`, 'problem');
  else if (tries === 1) world.tell(`${what}. It is tried again for three days.`, 'problem');
  return false;
}

async function giveUpStrangers({ store, own }: DeliveryDesk, world: World): Promise<void> {
  const campaigns = await store.listCampaigns();
  const settings = campaigns.map((campaign) => campaign.settings);
  const known = [...receivers(own, settings).keys()];
  const before = world.clock.now() - GIVEN_UP_AFTER_MS;
  const gone = await store.expireNotices(known, before, 'no settings name this receiver any more');
  for (const { event, shown, why } of gone)
    world.tell(`A notice (${event}) did not come to ${shown}: ${why ?? ''}; ${LOOK}.`, 'problem');
}

const LOOK = '`callsheet doctor` lists such notices';

function shownRepeats({ lastAt, ...repeats }: ClaimedSend['folded'][number]) {
  return { ...repeats, lastAt: new Date(lastAt).toISOString() };
}
