import {
  isNotCalled,
  likelyLength,
  outcomeOf,
  type Analytics,
  type UnknownWord,
} from '../domain/lead.ts';
import { LONGEST_POSTPONED_MS } from '../domain/polling/poll-schedule.ts';
import type { PollScheduler, ToldBy } from '../domain/polling/poll-scheduler.ts';
import { whyAnother, type CallNames, type NamedCall } from '../domain/same-call.ts';
import { DAY_MS, HOUR_MS } from '../domain/time-units.ts';
import type { Notify } from '../runtime/log.ts';
import type { DeliveryEvent, PollResult, VoiceService } from '../service/port.ts';
import type { OpenCall, PollRecord, Store } from '../store/port.ts';
import { refusalHeard } from '../text/spoken-refusals.ts';

/** After a poll that failed, the call is polled again no sooner than this. */
const AFTER_FAILURE_MS = 1_000;
/** A call that the service has postponed is polled this often: it may be cancelled there. */
const POSTPONED_POLL_MS = 15 * 60_000;

export interface SettleContext {
  store: Store;
  /** Epoch ms. */
  now: number;
  scheduler: PollScheduler;
  notify: Notify;
  /**
   * Called when the record that frees the call's slot is handed to the store: a claim asked for at once joins the same
   * transaction.
   */
  onLineDown: () => void;
  by?: ToldBy;
  /** The call was given up and asked for again: nothing is learned of its length, and nobody is dialled for it. */
  isLate?: boolean;
  /** The next poll once the line is down, epoch ms; left out: the poll scheduler decides. */
  pollAt?: number;
}

const NOTHING_NAMED: CallNames = { callIds: [], attemptKeys: [], phones: [], agents: [] };

/** Names in a delivery, without agents: a call may be handed over, and the delivery names the last agent. */
export function namesOf(event: Pick<DeliveryEvent, 'callId' | 'attemptKey' | 'phone'>): CallNames {
  const named = (name: string | null) => (name === null ? [] : [name]);
  return {
    callIds: named(event.callId),
    attemptKeys: named(event.attemptKey),
    phones: named(event.phone),
    agents: [],
  };
}

/** Joins the names beside a call's data and the names in the data. */
export function namesWith(beside: CallNames, names: CallNames = NOTHING_NAMED): CallNames {
  return {
    callIds: [...beside.callIds, ...names.callIds],
    attemptKeys: [...beside.attemptKeys, ...names.attemptKeys],
    phones: [...beside.phones, ...names.phones],
    agents: [...beside.agents, ...names.agents],
  };
}

/** Why a poll's result is about another call, see `whyAnother`; null: it is about this call or has nothing to keep. */
export function contradictionIn(polled: PollResult, call: NamedCall): string | null {
  if (polled.kind === 'failed' || polled.kind === 'unreadable') return null;
  // A result without names was requested by call id, which suffices unless several dials got the same call id.
  const isChecked = polled.names !== undefined || call.rivals.length > 0;
  const why = isChecked ? whyAnother(polled.names ?? NOTHING_NAMED, call) : null;
  return why === null ? null : `the answer is not kept: ${why}`;
}

/**
 * Records what a poll or a delivery says of a call. No other function changes a call's state by what the service says.
 * Safe to run again with the same result. Resolves once the record is durable.
 * @returns when to poll again, epoch ms; null when the call is settled
 */
export async function settle(
  call: OpenCall,
  given: PollResult,
  context: SettleContext,
): Promise<number | null> {
  const polled = untilWhole(given, call, context.now);
  const { store, now: at, scheduler, notify, onLineDown, by = 'poll', pollAt } = context;
  const { isLate = false } = context;
  const { attemptId, callId } = call;
  const why = contradictionIn(polled, call);
  // The wall clock may have been set back since the call was placed: its age is 0 then, not negative.
  const age = Math.max(0, at - call.placedAt);
  const nextPoll = () => at + scheduler.nextIn(attemptId, age);
  const tell = (event: 'poll.failed' | 'poll.contradicted' | 'call.released', detail: string) =>
    notify({ event, attempt: attemptId, detail });
  const tellUnknown = (unknown: readonly UnknownWord[] = []) => {
    for (const word of unknown) notify({ event: 'word.unknown', ...word });
  };
  const recordLineDown = (record: PollRecord) => {
    const recorded = store.recordPoll(attemptId, record);
    if (call.state === 'placed') onLineDown();
    return recorded;
  };
  if (why !== null) {
    const nextPollAt = nextPoll();
    const names = ('names' in polled ? polled.names : undefined) ?? NOTHING_NAMED;
    const contradicted = { kind: 'contradicted', at, nextPollAt, detail: why, names } as const;
    const recorded = await store.recordPoll(attemptId, contradicted);
    if (recorded === 'conflict') tell('poll.contradicted', why);
    return nextPollAt;
  }
  switch (polled.kind) {
    case 'pending': {
      scheduler.pending(call, age);
      const { notBegun, unknown } = polled;
      const beginsAt = postponedTo(call, notBegun?.startsAt ?? null, at);
      if (notBegun !== undefined && beginsAt === null && call.holdsUntil <= at) {
        const detail = `the service said "${notBegun.word}" until no call lasts longer`;
        await store.recordPoll(attemptId, { kind: 'never_began', at, detail });
        tell('poll.failed', detail);
        return null;
      }
      const postponed = beginsAt === null ? 0 : Math.min(beginsAt, at + POSTPONED_POLL_MS);
      const nextPollAt = Math.max(nextPoll(), postponed);
      const begins = beginsAt === null ? {} : { beginsAt };
      const strange = unknown && { unknown };
      await store.recordPoll(attemptId, { kind: 'pending', at, nextPollAt, ...begins, ...strange });
      tellUnknown(unknown);
      return nextPollAt;
    }
    case 'ended': {
      scheduler.lineDown(call, age, by);
      const nextPollAt = pollAt ?? nextPoll();
      await recordLineDown({ kind: 'ended', at, nextPollAt });
      return nextPollAt;
    }
    case 'unreadable': {
      const { unknown = [], ...unreadable } = polled;
      const nextPollAt = nextPoll();
      await store.recordPoll(attemptId, { ...unreadable, at, nextPollAt, unknown });
      tell('poll.failed', polled.detail);
      tellUnknown(unknown);
      return nextPollAt;
    }
    case 'failed': {
      const nextPollAt = Math.max(nextPoll(), at + (polled.retryAfterMs ?? AFTER_FAILURE_MS));
      await store.recordPoll(attemptId, { kind: 'pending', at, nextPollAt });
      tell('poll.failed', polled.detail);
      return nextPollAt;
    }
    case 'settled': {
      const { said, unknown } = polled;
      const analytics = withLikelyLength(polled, call, at);
      if (polled.isUnproved && !isLate && call.state !== 'no_result') {
        const seen = JSON.stringify({ ...analytics, raw: null });
        const hasStood = scheduler.hasSaid(attemptId, seen);
        const isDown = call.state !== 'placed' || call.holdsUntil <= at;
        if (!hasStood || !isDown) {
          scheduler.pending(call, age, seen);
          const strange = hasStood && unknown && { unknown };
          const nextPollAt = nextPoll();
          await store.recordPoll(attemptId, { kind: 'pending', at, nextPollAt, ...strange });
          if (hasStood) tellUnknown(unknown);
          return nextPollAt;
        }
      }
      if (!isLate) scheduler.settled(call, age, by, analytics.durationMs);
      const { result, source } = outcomeOf(analytics, polled.result);
      if (isNotCalled(result)) {
        const word = said ?? result;
        const refusal = `ended without ringing: ${word}`;
        const detail = `the service took call ${callId} and ended it without ringing ("${word}")`;
        const pause = result === 'not_called_pause';
        const freed = { at, callId, detail, notBefore: at, refusal, pause };
        await recordLineDown({ kind: 'not_called', ...freed });
        tell('call.released', detail);
        return null;
      }
      const { callback, retryDerived } = polled;
      const late = isLate && { late: true };
      const found = { kind: 'settled', at, callId, analytics, result, source, ...late } as const;
      const again = { ...(callback && { callback }), ...(retryDerived && { retryDerived }) };
      const words = {
        ...(said !== undefined && { said }),
        ...(unknown && { unknown }),
        refusal: refusalHeard(analytics.transcript ?? '') ?? '',
      };
      if ((await recordLineDown({ ...found, ...again, ...words })) !== 'conflict') {
        notify({ event: 'call.settled', attempt: attemptId, callId, result });
        tellUnknown(unknown);
      }
      return null;
    }
  }
}

/** A transcript that is not there yet is waited for until no call lasts longer. */
function untilWhole(polled: PollResult, { holdsUntil }: OpenCall, now: number): PollResult {
  if (polled.kind !== 'settled' || polled.transcriptAt === undefined || holdsUntil <= now)
    return polled;
  return { kind: 'ended', ...(polled.names && { names: polled.names }) };
}

/** No call lasts much longer than the longest that the operator expects, however late it is asked for. */
const MANY_TIMES = 4;

function withLikelyLength(
  { analytics, isGuess }: Extract<PollResult, { kind: 'settled' }>,
  { intentAt, holdsUntil }: OpenCall,
  now: number,
): Analytics {
  const { durationMs } = analytics;
  if (isGuess !== true || durationMs === null) return analytics;
  const possibleMs = Math.min(now - intentAt, MANY_TIMES * (holdsUntil - intentAt));
  return { ...analytics, durationMs: likelyLength(durationMs, possibleMs) };
}

/** @returns when the service will begin the call, epoch ms; null: it has begun, or the time cannot be true */
function postponedTo({ intentAt }: OpenCall, startsAt: number | null, now: number): number | null {
  return startsAt === null || startsAt <= now || startsAt > intentAt + LONGEST_POSTPONED_MS
    ? null
    : startsAt;
}

/** Which calls without a result are read again: `due`: those of a week, each at most once an hour. */
export type AskAgain = 'due' | 'all';

const ASKED_FOR_MS = 7 * DAY_MS;
const AT_ONCE = 8;

interface LateOptions extends Pick<SettleContext, 'store' | 'notify' | 'scheduler'> {
  campaignId: string;
  service: VoiceService;
  which: AskAgain;
  clock: { now(): number };
  signal: AbortSignal;
}

/** The earliest dial whose result is still read, epoch ms. */
export function askedSince(which: AskAgain, now: number): number {
  return which === 'all' ? 0 : now - ASKED_FOR_MS;
}

/**
 * Reads calls again that were given up without a result: the profile may be corrected, or the service was late. A
 * result ends the lead as usual; nobody is dialled again for it.
 * @returns true: the service refused the key
 */
export async function askForLateResults(options: LateOptions): Promise<boolean> {
  const { store, service, campaignId, which, clock, signal } = options;
  const now = clock.now();
  const query = {
    ...{ campaignId, service: service.name, since: askedSince(which, now), limit: AT_ONCE },
    askedBefore: which === 'all' ? null : now - HOUR_MS,
  };
  for (let after: string | null = null; !signal.aborted;) {
    const calls: OpenCall[] = await store.lateCalls({ ...query, after });
    if (calls.length === 0) return false;
    const asked = await Promise.all(calls.map((call) => askOne(call, options)));
    if (asked.includes('key_refused')) return true;
    // The service cannot be read now; the others are read the next time.
    if (asked.every((each) => each === 'failed')) return false;
    after = calls.at(-1)?.attemptId ?? null;
  }
  return false;
}

async function askOne(
  call: OpenCall,
  { store, service, clock, signal, notify, scheduler }: LateOptions,
): Promise<'asked' | 'failed' | 'key_refused'> {
  const polled = await service.readAnalytics(call.callId, signal, call);
  const at = clock.now();
  if (polled.kind === 'failed') return polled.keyRefused ? 'key_refused' : 'failed';
  const isResult =
    polled.kind === 'settled' &&
    contradictionIn(polled, call) === null &&
    !isNotCalled(outcomeOf(polled.analytics, polled.result).result);
  if (isResult) {
    const context = { store, notify, scheduler, now: at, onLineDown: () => undefined };
    await settle(call, polled, { ...context, isLate: true });
    return 'asked';
  }
  const { detail, raw } = polled.kind === 'unreadable' ? polled : { detail: null, raw: null };
  await store.recordPoll(call.attemptId, { kind: 'still_none', at, detail, raw });
  return 'asked';
}
