import { GIVEN_UP_AFTER_MS, nextTry, type NoticeTarget } from '../../domain/notices.ts';
import { maskWrittenNumbers } from '../../domain/phone.ts';
import { shownLine } from '../../domain/safe-text.ts';
import { shortHash } from '../../runtime/random.ts';
import type { Log } from '../../runtime/log.ts';
import type { Campaign, OutboxBody, OutboxMessage, Store } from '../../store/port.ts';
import { campaignNight } from '../nights/nights.ts';
import type { World } from '../world.ts';
import { receivers, send, type Receiver } from './send.ts';

/** What a notice is about; equal ones of one night are told once. */
export interface Told extends Pick<OutboxBody, 'event' | 'reason'> {
  campaign: Campaign;
  /** What tells it from others of this event; default: `reason`. */
  about?: string;
  /** One or two sentences for people. */
  text: string;
  /** Further fields of the JSON. */
  more?: Record<string, unknown>;
  /** When it was, epoch ms; default: now. */
  at?: number;
  /** Default: tonight. */
  night?: string;
  /** It is only written down, and nobody is told. */
  silent?: boolean;
}

export interface OutboxDesk {
  store: Store;
  /** The targets of services.yaml. */
  own: readonly NoticeTarget[];
}

/** Longer texts, such as a service's error page, would not be read. */
const LONGEST_TEXT = 1_000;

/**
 * Writes a notice to the outbox, from where it is sent; the id is made from what it is about, so that several processes
 * and restarts write it once. Where nobody is named, only `finished` is written, so that a night that has begun closes.
 */
export async function writeNotice(
  { event, reason, text, about = reason, more = {}, silent = false, ...told }: Told,
  { store, own }: OutboxDesk,
  world: World,
): Promise<void> {
  // As it is stored now: who is told may have been changed while it runs.
  const campaign = (await store.findCampaign(told.campaign.name)) ?? told.campaign;
  const { id: campaignId, name, settings, simulated } = campaign;
  const named = [...receivers(own, [settings]).values()];
  if (named.length === 0 && event !== 'finished') return;
  const now = world.clock.now();
  const { at = now, night = campaignNight(now, settings).date } = told;
  const said = `${simulated ? 'Rehearsal: ' : ''}${name}: ${text}`;
  const body = {
    id: `ntc_${shortHash([campaignId, night, event, about])}`,
    event,
    reason,
    campaign: name,
    ...(simulated && { rehearsal: true }),
    night,
    at: new Date(at).toISOString(),
    text: maskWrittenNumbers(shownLine(said)).slice(0, LONGEST_TEXT),
    ...more,
  };
  const to = silent ? [] : named.filter((each) => each.to.on.includes(event));
  const who = to.map(({ target, shown }) => ({ target, shown }));
  await store.outboxPut({ campaignId, at, body, to: who });
}

const LOOK_EVERY_MS = 1_000;
/** A receiver that takes long for each has the rest at the next look: what is new for others does not wait for it. */
const LONGEST_LOOK_MS = 60_000;

interface SendingDesk extends OutboxDesk {
  log: Log;
  /** Once it aborts, nothing is sent any more, and what is being sent is broken off. */
  late: AbortSignal;
}

/**
 * Sends what is due, each message once: the process that takes it sends it, and records the end. One that dies in between
 * leaves it to the next, which sends it again with the same id.
 *
 * A receiver gets its messages one after another, as they were written: that a night has ended does not overtake that it
 * has begun. One that fails is left alone until the next look.
 */
export async function deliverDue(desk: SendingDesk, world: World): Promise<void> {
  const { store, own, late } = desk;
  const { clock } = world;
  const until = clock.monotonic() + LONGEST_LOOK_MS;
  const left = new Set<string>();
  while (!late.aborted && clock.monotonic() < until) {
    const due = (await store.outboxDue(clock.now())).filter(({ target }) => !left.has(target));
    if (due.length === 0) return;
    const settings = (await store.listCampaigns()).map((campaign) => campaign.settings);
    const known = receivers(own, settings);
    const sending = due.map(async (message) => {
      const came = await sendOne(message, known.get(message.target), desk, world);
      if (!came) left.add(message.target);
    });
    await Promise.all(sending);
  }
}

/** Sends what is due until `signal` aborts; what is being sent then may end until `late` aborts. Never rejects. */
export async function deliverUntil(
  signal: AbortSignal,
  desk: SendingDesk,
  world: World,
): Promise<void> {
  let fails = false;
  while (!signal.aborted) {
    try {
      await deliverDue(desk, world);
      fails = false;
    } catch (error) {
      // The database fails, which the run reports; messages wait in it.
      if (!fails) world.keepStack(error);
      fails = true;
    }
    await world.clock.sleep(LOOK_EVERY_MS, signal);
  }
}

/** @returns whether it has come to its receiver */
async function sendOne(
  message: OutboxMessage,
  receiver: Receiver | undefined,
  { store, log, late }: SendingDesk,
  world: World,
): Promise<boolean> {
  const { clock } = world;
  const { id, shown, at: writtenAt, body } = message;
  // Another process may know the receiver.
  if (receiver === undefined && clock.now() - writtenAt <= GIVEN_UP_AFTER_MS) return false;
  const taken = await store.outboxTake(message, clock.now());
  if (taken === null) return false;
  const result = receiver === undefined ? STRANGER : await send(receiver, body, log, world, late);
  const now = clock.now();
  const { tries } = taken;
  if (result.ok || late.aborted) {
    log.info(result.ok ? 'notice.sent' : 'notice.interrupted', { notice: id, to: shown, tries });
    await store.outboxTried(taken, { at: now, why: null, due: result.ok ? null : now });
    return result.ok;
  }
  const { why, retryAfterMs } = result;
  const due = nextTry(tries, writtenAt, now, retryAfterMs);
  log.warn('notice.failed', { notice: id, to: shown, tries, why, nextAt: due });
  await store.outboxTried(taken, { at: now, why, due });
  const what = `A notice (${body.event}) did not come to ${shown}: ${why}.`;
  if (due === null)
    world.tell(`${what} It is given up; \`callsheet doctor\` lists such notices.`, 'problem');
  else if (tries === 1) world.tell(`${what} It is tried again for three days.`, 'problem');
  return false;
}

const STRANGER = {
  ...{ ok: false, why: 'no settings name this receiver any more', retryAfterMs: null },
} as const;
