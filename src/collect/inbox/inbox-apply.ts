import { isNotCalled, outcomeOf } from '../../domain/lead.ts';
import { whyAnother, type NamedCall } from '../../domain/same-call.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import type {
  DeliveryEvent,
  DeliveryProtocol,
  PollResult,
  VoiceService,
} from '../../service/port.ts';
import type {
  DeliveryDecision,
  DeliveryMatch,
  DueDelivery,
  MatchCandidate,
  OpenCall,
  Store,
} from '../../store/port.ts';
import type { CallFeed } from '../polling/poller.ts';
import { contradictionIn, namesOf, namesWith, settle, type SettleContext } from '../settle.ts';

/** An unmatched delivery is matched again for a day: as soon as an attempt gets its call id, else at intervals. */
const SEARCH_FOR_MS = DAY_MS;
const SOONEST_MS = 250;
const LATEST_MS = 60_000;

export interface ApplyContext extends Pick<
  SettleContext,
  'store' | 'now' | 'scheduler' | 'notify'
> {
  service: Pick<VoiceService, 'readAnalytics'>;
  protocol: DeliveryProtocol;
  feed: CallFeed;
}

/** `again`: the delivery's attempt may become known later, so the delivery is matched once more. */
type Decision = Pick<DeliveryDecision, 'state' | 'reason'> & { again?: true };
type Found = Extract<DeliveryMatch, { kind: 'found' }>;
/** An attempt whose call id is known. */
type Call = MatchCandidate & { callId: string };

/**
 * Applies one delivery; every step is idempotent, in any order. A signed delivery is believed. An unsigned one is a
 * hint: what it says is read from the service. Captured fields are taken from both, as the service offers them nowhere
 * else.
 */
export async function applyDelivery(
  delivery: DueDelivery,
  event: DeliveryEvent,
  match: DeliveryMatch,
  context: ApplyContext,
): Promise<DeliveryDecision> {
  const { now: at } = context;
  const { again, ...decided } = await decide(delivery, event, match, context);
  const { id, receivedAt, signed } = delivery;
  const { type, callId, attemptKey, lead } = event;
  const isTheirs = decided.state === 'applied' || decided.state === 'hint';
  return {
    id,
    at,
    ...decided,
    type,
    callId,
    attemptKey,
    attemptId:
      match.kind !== 'none' && (isTheirs || match.kind === 'contradiction')
        ? match.attempt.attemptId
        : null,
    tryAt: again === true ? matchAgainAt(delivery, event, match, at) : null,
    lead: lead === null ? null : { fields: lead, capturedAt: event.at ?? receivedAt, signed },
  };
}

/**
 * Epoch ms of the next match: after the delivery's present age once more, within bounds.
 * @returns null when the delivery is a day old
 */
function matchAgainAt(
  { receivedAt }: DueDelivery,
  { phone }: DeliveryEvent,
  match: DeliveryMatch,
  at: number,
): number | null {
  const age = Math.max(0, at - receivedAt);
  if (age >= SEARCH_FOR_MS) return null;
  if (match.kind === 'none' && phone === null) return receivedAt + SEARCH_FOR_MS;
  return at + Math.round(Math.min(Math.max(age, SOONEST_MS), LATEST_MS));
}

async function decide(
  { id, signed }: DueDelivery,
  event: DeliveryEvent,
  match: DeliveryMatch,
  context: ApplyContext,
): Promise<Decision> {
  if (match.kind === 'none') return unmatched(match.why);
  if (match.kind === 'contradiction') return contradict(id, match.attempt, match.why, context);
  const { attempt } = match;
  context.feed.get(attempt.campaignId)?.scheduler.delivered(context.now);
  if (attempt.callId !== null) {
    const call = { ...attempt, callId: attempt.callId };
    const why = whyNotOf(call, event, signed);
    if (why !== null) return contradict(id, call, why, context);
    if (call.state === 'released') return aboutUnrung(call, event, signed, context);
    return signed ? believe(call, event, context) : askAbout(call, event, context);
  }
  const { callId, meaning } = event;
  if (callId !== null) {
    if (!signed) return confirm(match, callId, context);
    // A signed delivery is evidence by itself, without a request to the service.
    return keepCallId(match, callId, context, (call) => believe(call, event, context));
  }
  // Without a call id, captured fields still belong to the matched attempt.
  if (meaning === 'lead_captured') return APPLIED;
  return unmatched('it names its dial and no call to read');
}

async function believe(call: Call, event: DeliveryEvent, context: ApplyContext): Promise<Decision> {
  if (event.meaning === 'lead_captured') return APPLIED;
  const found = foundIn(event);
  if (call.state === 'settled' && !isOptOut(found)) return { state: 'applied', reason: KNOWN };
  if (found?.kind === 'pending') return { state: 'applied', reason: 'the call was not over yet' };
  if (found?.kind === 'settled') return settleNow(call, found, context);
  if (call.state === 'no_result') return readNow(call, context);
  // Analytics that cannot be read do not prove that the line is down.
  if (event.meaning === 'analytics' && found === null) return pollSoon(call, UNREAD, context);
  return settleNow(call, { kind: 'ended', names: namesOf(event) }, context);
}

/** Decides on a call that the service has ended without ringing: its lead may have been dialled again since. */
async function aboutUnrung(
  call: Call,
  event: DeliveryEvent,
  signed: boolean,
  context: ApplyContext,
): Promise<Decision> {
  const found = foundIn(event);
  const isMade =
    found?.kind === 'settled' && !isNotCalled(outcomeOf(found.analytics, found.result).result);
  if (!signed || !isMade) return { state: signed ? 'applied' : 'hint', reason: KNOWN };
  // The store writes the contradiction into the history; the lead's state stays.
  await settleNow(call, found, context);
  return contradicted(`the service said before that it ended call ${call.callId} without ringing`);
}

/** Analytics that come after others may be the first to say that the person wants no more calls. */
function isOptOut(found: PollResult | null): boolean {
  return found?.kind === 'settled' && found.result === 'opted_out';
}

const KNOWN = 'it was known already';
const APPLIED: Decision = { state: 'applied', reason: null };
const UNREAD = 'its analytics could not be read: the call is read from the service';

/** An unsigned delivery: the poller polls the call now. */
async function askAbout(
  call: Call,
  event: DeliveryEvent,
  context: ApplyContext,
): Promise<Decision> {
  if (event.meaning === 'lead_captured') return { state: 'applied', reason: 'unsigned' };
  const isSettled = call.state === 'settled';
  if (isSettled && !isOptOut(foundIn(event))) return { state: 'hint', reason: KNOWN };
  if (isSettled || call.state === 'no_result') return readNow(call, context);
  return pollSoon(call, 'unsigned: the call is read from the service', context);
}

async function pollSoon(
  call: Call,
  reason: string,
  { store, feed, now }: ApplyContext,
): Promise<Decision> {
  await store.recordPoll(call.attemptId, { kind: 'pending', at: now, nextPollAt: now });
  feed.get(call.campaignId)?.onPollDue(now);
  return { state: 'hint', reason };
}

/** An unsigned delivery becomes evidence only if the service, polled for this call, names this attempt's person. */
async function confirm(match: Found, callId: string, context: ApplyContext): Promise<Decision> {
  const { attempt } = match;
  // The dial is in flight: its own answer may still come.
  if (attempt.state === 'intent') return unmatched('the dial has not been answered yet');
  const found = await context.service.readAnalytics(callId, undefined, attempt);
  if (found.kind !== 'settled')
    return unmatched('unsigned, and the service does not confirm its call yet');
  const asked = { ...attempt, callId };
  if (
    namesAnotherAttempt(found, attempt, context.protocol) ||
    contradictionIn(found, asked) !== null
  ) {
    return contradicted(`the service says that call ${callId} was another person's`);
  }
  return keepCallId(match, callId, context, (call) => settleNow(call, found, context));
}

/** Gives an attempt in doubt its call id, then calls `use`; the store records a contradiction in the history. */
async function keepCallId(
  { attempt, by }: Found,
  callId: string,
  { store, feed, now }: ApplyContext,
  use: (call: Call) => Promise<Decision>,
): Promise<Decision> {
  const evidence = { callId, at: now, nextPollAt: now, byNumber: by === 'number' };
  const recorded = await store.recordEvidence(attempt.attemptId, evidence);
  if (recorded === 'conflict')
    return contradicted(`call ${callId} contradicts what is known of its attempt`);
  feed.get(attempt.campaignId)?.onPollDue(now);
  return use({ ...attempt, callId, state: recorded === 'moved' ? 'placed' : attempt.state });
}

/** The poller no longer polls a call that was given up, so it is read here. */
async function readNow(call: Call, context: ApplyContext): Promise<Decision> {
  const found = await context.service.readAnalytics(call.callId, undefined, call);
  if (found.kind !== 'settled') {
    return { state: 'hint', reason: 'the service has no analytics of its call yet', again: true };
  }
  const why = contradictionIn(found, call);
  return why === null ? settleNow(call, found, context) : contradicted(why);
}

function unmatched(reason: string): Decision {
  return { state: 'unmatched', reason, again: true };
}

function contradicted(reason: string): Decision {
  return { state: 'contradicted', reason };
}

async function settleNow(call: Call, found: PollResult, context: ApplyContext): Promise<Decision> {
  const { store, feed, notify, now } = context;
  const listener = feed.get(call.campaignId);
  const nextPollAt = await settle(call, found, {
    store,
    now,
    notify,
    pollAt: now,
    scheduler: listener?.scheduler ?? context.scheduler,
    by: 'delivery',
    onLineDown: () => listener?.onLineDown(),
  });
  if (nextPollAt !== null) listener?.onPollDue(nextPollAt);
  return APPLIED;
}

/**
 * Why a delivery with a call's id is not about this call; null: it is. A number in captured fields may be one that the
 * person named, so it counts only if several dials share the call id. An unsigned delivery without fields is not
 * checked: the service is asked anyway.
 */
function whyNotOf(call: NamedCall, event: DeliveryEvent, signed: boolean): string | null {
  const isLead = event.meaning === 'lead_captured';
  if (!signed && !isLead) return null;
  const names = namesOf(event);
  const hasPhone = !isLead || call.rivals.length > 0;
  const alone = { ...call, rivals: [] };
  return (
    whyAnother(hasPhone ? names : { ...names, phones: [] }, alone) ??
    (event.found === null ? null : contradictionIn(event.found, alone)) ??
    (call.rivals.length === 0 ? null : whyAnother(foundIn(event)?.names ?? names, call))
  );
}

/** The analytics that a delivery holds, with the names beside them: they prove whose analytics they are. */
function foundIn(event: DeliveryEvent): DeliveryEvent['found'] {
  const { found } = event;
  return found && { ...found, names: namesWith(namesOf(event), found.names) };
}

/** True when a call's analytics, read like a delivery of the same service, name another number or key. */
function namesAnotherAttempt(
  { analytics }: Extract<PollResult, { kind: 'settled' }>,
  attempt: MatchCandidate,
  protocol: DeliveryProtocol,
): boolean {
  const body = new TextEncoder().encode(JSON.stringify(analytics.raw));
  const said = protocol.read(body, { 'content-type': 'application/json' });
  if (said.kind !== 'event') return false;
  const { phone, attemptKey } = said;
  return (
    (phone !== null && phone !== attempt.phone) ||
    (attemptKey !== null && attemptKey !== attempt.key)
  );
}

/** Records a contradiction in the campaign's history; nothing else changes. */
async function contradict(
  delivery: string,
  { campaignId, attemptId: attempt }: Pick<OpenCall, 'campaignId' | 'attemptId'>,
  why: string,
  { store, now: at }: { store: Pick<Store, 'addHistory'>; now: number },
): Promise<{ state: 'contradicted'; reason: string }> {
  const detail = { delivery, attempt, why };
  const what = 'delivery.contradicted';
  await store.addHistory(campaignId, { at, who: 'callsheet', what, detail });
  return { state: 'contradicted', reason: why };
}
