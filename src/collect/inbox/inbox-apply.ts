import type { PollScheduler } from '../../domain/polling/poll-scheduler.ts';
import { isNotCalled, outcomeOf } from '../../domain/outcome.ts';
import type { Notify } from '../../runtime/notice.ts';
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
  Store,
} from '../../store/port.ts';
import type { CallFeed } from '../polling/call-feed.ts';
import { namesAnotherAttempt } from '../names-another-attempt.ts';
import { matchAgainAt } from './match-again.ts';
import { contradict, foundIn, namesOf, whyNotOf } from './delivery-names.ts';
import { contradictionIn, settle } from '../settle.ts';

export interface ApplyContext {
  store: Store;
  service: Pick<VoiceService, 'readAnalytics'>;
  protocol: DeliveryProtocol;
  feed: CallFeed;
  plan: PollScheduler;
  notify: Notify;
  /** Epoch ms. */
  now: number;
}

/** `again`: its attempt may become known later, so the delivery is matched once more. */
type Decision = Pick<DeliveryDecision, 'state' | 'reason'> & { again?: boolean };
type Found = Extract<DeliveryMatch, { kind: 'found' }>;
/** An attempt whose call id is known. */
type Call = MatchCandidate & { callId: string };

/**
 * Applies one delivery. Every step is idempotent and may run in any order with those of other deliveries. A signed
 * delivery is believed. An unsigned one is only a hint: what it says is read from the service. Captured fields, which
 * the service offers nowhere else, are taken from both.
 */
export async function applyDelivery(
  delivery: DueDelivery,
  event: DeliveryEvent,
  match: DeliveryMatch,
  context: ApplyContext,
): Promise<DeliveryDecision> {
  const { now: at } = context;
  const decision = await decide(delivery, event, match, context);
  const { id, receivedAt, signed } = delivery;
  const { type, callId, attemptKey, lead } = event;
  const isTheirs = decision.state === 'applied' || decision.state === 'hint';
  return {
    id,
    at,
    state: decision.state,
    reason: decision.reason,
    type,
    callId,
    attemptKey,
    attemptId:
      match.kind !== 'none' && (isTheirs || match.kind === 'contradiction')
        ? match.attempt.attemptId
        : null,
    tryAt: decision.again === true ? matchAgainAt(delivery, event, match, at) : null,
    lead: lead === null ? null : { fields: lead, capturedAt: event.at ?? receivedAt, signed },
  };
}

async function decide(
  { id, signed }: DueDelivery,
  event: DeliveryEvent,
  match: DeliveryMatch,
  context: ApplyContext,
): Promise<Decision> {
  if (match.kind === 'none') return { state: 'unmatched', reason: match.why, again: true };
  if (match.kind === 'contradiction') return contradict(id, match.attempt, match.why, context);
  const { attempt, by } = match;
  if (attempt.callId !== null) {
    const call = { ...attempt, callId: attempt.callId };
    const why = whyNotOf(call, event, signed);
    if (why !== null) return contradict(id, call, why, context);
    if (call.state === 'released') return aboutUnrung(call, event, signed, context);
    return signed ? believe(call, event, context) : askAbout(call, event, context);
  }
  return signed ? believeCallId(match, event, context) : confirm(match, event, context, by);
}

/** A signed delivery about a known call. */
async function believe(call: Call, event: DeliveryEvent, context: ApplyContext): Promise<Decision> {
  if (event.meaning === 'lead_captured') return APPLIED;
  if (call.state === 'settled') return { state: 'applied', reason: 'it was known already' };
  const found = foundIn(event);
  if (found?.kind === 'pending') return { state: 'applied', reason: 'the call was not over yet' };
  if (found?.kind === 'settled') {
    await settleNow(call, found, context);
    return APPLIED;
  }
  if (call.state === 'no_result') return readNow(call, context);
  // Analytics that cannot be read do not prove that the line is down.
  if (event.meaning === 'analytics' && found === null) return pollSoon(call, UNREAD, context);
  await settleNow(call, { kind: 'ended', names: namesOf(event) }, context);
  return APPLIED;
}

/** The service said before that it ended this call without ringing, so its lead may have been dialled again since. */
async function aboutUnrung(
  call: Call,
  event: DeliveryEvent,
  signed: boolean,
  context: ApplyContext,
): Promise<Decision> {
  const found = foundIn(event);
  const isMade =
    found?.kind === 'settled' && !isNotCalled(outcomeOf(found.analytics, found.result).result);
  if (!signed || !isMade)
    return { state: signed ? 'applied' : 'hint', reason: 'it was known already' };
  // The store writes the contradiction into the history; the lead's state stays.
  await settleNow(call, found, context);
  return {
    state: 'contradicted',
    reason: `the service said before that it ended call ${call.callId} without ringing`,
  };
}

const APPLIED: Decision = { state: 'applied', reason: null };
const UNREAD = 'its analytics could not be read: the call is read from the service';

/** An unsigned delivery: the poller polls the call now. */
async function askAbout(
  call: Call,
  event: DeliveryEvent,
  context: ApplyContext,
): Promise<Decision> {
  if (event.meaning === 'lead_captured') return { state: 'applied', reason: 'unsigned' };
  if (call.state === 'settled') return { state: 'hint', reason: 'it was known already' };
  if (call.state === 'no_result') return readNow(call, context);
  return pollSoon(call, 'unsigned: the call is read from the service', context);
}

async function pollSoon(
  call: Call,
  reason: string,
  { store, feed, now }: ApplyContext,
): Promise<Decision> {
  await store.recordPoll(call.attemptId, { kind: 'pending', at: now, nextPollAt: now });
  feed.listenerOf(call.campaignId)?.onPollDue(now);
  return { state: 'hint', reason };
}

/** A signed delivery is evidence: it gives an attempt in doubt its call id. */
async function believeCallId(
  { attempt, by }: Found,
  event: DeliveryEvent,
  context: ApplyContext,
): Promise<Decision> {
  const { callId } = event;
  if (callId === null) return withoutCallId(event);
  const call = await keepCallId(attempt, callId, by, context);
  if (call === null) return contradicts(callId);
  return believe(call, event, context);
}

/** An unsigned one becomes evidence only if the service, polled for this call, names this attempt's person. */
async function confirm(
  { attempt }: Found,
  event: DeliveryEvent,
  context: ApplyContext,
  by: Found['by'],
): Promise<Decision> {
  const { callId } = event;
  if (callId === null) return withoutCallId(event);
  // The dial is in flight: its own answer may still come.
  if (attempt.state === 'intent') return unconfirmed('the dial has not been answered yet');
  const found = await context.service.readAnalytics(callId);
  if (found.kind !== 'settled')
    return unconfirmed('unsigned, and the service does not confirm its call yet');
  const asked = { ...attempt, callId };
  if (
    namesAnotherAttempt(found, attempt, context.protocol) ||
    contradictionIn(found, asked) !== null
  ) {
    return {
      state: 'contradicted',
      reason: `the service says that call ${callId} was another person's`,
    };
  }
  const call = await keepCallId(attempt, callId, by, context);
  if (call === null) return contradicts(callId);
  await settleNow(call, found, context);
  return APPLIED;
}

function unconfirmed(reason: string): Decision {
  return { state: 'unmatched', reason, again: true };
}

/** Without a call id, captured fields still belong to the matched attempt. */
function withoutCallId({ meaning }: DeliveryEvent): Decision {
  if (meaning === 'lead_captured') return APPLIED;
  return { state: 'unmatched', reason: 'it names its dial and no call to read', again: true };
}

function contradicts(callId: string): Decision {
  return {
    state: 'contradicted',
    reason: `call ${callId} contradicts what is known of its attempt`,
  };
}

/** @returns null if the call id contradicts what is known; the store has noted that in the history */
async function keepCallId(
  attempt: MatchCandidate,
  callId: string,
  by: Found['by'],
  { store, feed, now }: ApplyContext,
): Promise<Call | null> {
  const evidence = { callId, at: now, nextPollAt: now, byNumber: by === 'number' };
  const recorded = await store.recordEvidence(attempt.attemptId, evidence);
  if (recorded === 'conflict') return null;
  feed.listenerOf(attempt.campaignId)?.onPollDue(now);
  return { ...attempt, callId, state: recorded === 'moved' ? 'placed' : attempt.state };
}

/** A call that was given up is not polled any more, so it is read here. */
async function readNow(call: Call, context: ApplyContext): Promise<Decision> {
  const found = await context.service.readAnalytics(call.callId);
  if (found.kind !== 'settled') {
    return { state: 'hint', reason: 'the service has no analytics of its call yet', again: true };
  }
  const why = contradictionIn(found, call);
  if (why !== null) return { state: 'contradicted', reason: why };
  await settleNow(call, found, context);
  return APPLIED;
}

async function settleNow(call: Call, found: PollResult, context: ApplyContext): Promise<void> {
  const { store, feed, notify, now } = context;
  const listener = feed.listenerOf(call.campaignId);
  const nextPollAt = await settle(call, found, {
    ...{ store, now, notify, pollAt: now },
    plan: listener?.plan ?? context.plan,
    by: 'delivery',
    onLineDown: () => listener?.onLineDown(),
  });
  if (nextPollAt !== null) listener?.onPollDue(nextPollAt);
}
