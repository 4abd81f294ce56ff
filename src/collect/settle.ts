import { isNotCalled, outcomeOf } from '../domain/outcome.ts';
import type { PollScheduler } from '../domain/polling/poll-scheduler.ts';
import { whyAnother, type CallNames, type NamedCall } from '../domain/same-call.ts';
import { LONGEST_POSTPONED_MS } from '../domain/polling/poll-schedule.ts';
import type { ToldBy } from '../domain/polling/webhook-reliability.ts';
import type { Notify } from '../runtime/notice.ts';
import type { PollResult } from '../service/port.ts';
import type { OpenCall, Store } from '../store/port.ts';

/** After an answer that was no answer, look again no sooner than this. */
const AFTER_FAILURE_MS = 1_000;
/** A call that the service has put off is looked at this often: it may be cancelled there. */
const POSTPONED_POLL_MS = 15 * 60_000;

export interface SettleContext {
  store: Store;
  /** Epoch ms. */
  now: number;
  plan: PollScheduler;
  notify: Notify;
  /**
   * Told that the call no longer holds its slot, while that is still being written: a claim asked for now
   * is committed together with it and finds the slot free.
   */
  onLineDown: () => void;
  /** What told of the call. Default `poll`. */
  by?: ToldBy;
  /** When to look next at a call whose line is down, epoch ms, instead of by plan: a delivery says that there is something to see. */
  pollAt?: number;
}

const NOTHING_NAMED: CallNames = { callIds: [], attemptKeys: [], phones: [], agents: [] };

/** Why what was found is another call's, see `whyAnother`; null: it is this one's, or there is nothing to keep. */
export function contradictionIn(polled: PollResult, call: NamedCall): string | null {
  if (polled.kind === 'failed' || polled.kind === 'unreadable') return null;
  // Without a name it is taken at the word of its address, unless that is the word for several calls.
  const isNamed = polled.names !== undefined || call.rivals.length > 0;
  const why = isNamed ? whyAnother(namesOf(polled), call) : null;
  return why === null ? null : `the answer is not kept: ${why}`;
}

function namesOf(polled: PollResult): CallNames {
  return ('names' in polled ? polled.names : undefined) ?? NOTHING_NAMED;
}

/**
 * The one way in which what was found of a call is kept. Resolves once it is durable.
 *
 * @returns when to look again, epoch ms; null when the call is settled
 */
export async function settle(
  call: OpenCall,
  polled: PollResult,
  { store, now: at, plan, notify, onLineDown, by = 'poll', pollAt }: SettleContext,
): Promise<number | null> {
  const { attemptId, callId } = call;
  const why = contradictionIn(polled, call);
  // Of a clock that was set back since, the call is from the future.
  const age = Math.max(0, at - call.placedAt);
  const nextPoll = () => at + plan.nextIn(attemptId, age);
  const freeSlot = () => {
    if (call.state === 'placed') onLineDown();
  };
  if (why !== null) {
    const nextPollAt = nextPoll();
    const names = namesOf(polled);
    const contradicted = { kind: 'contradicted', at, nextPollAt, detail: why, names } as const;
    const recorded = await store.recordPoll(attemptId, contradicted);
    if (recorded === 'conflict')
      notify({ event: 'look.contradicted', attempt: attemptId, detail: why });
    return nextPollAt;
  }
  switch (polled.kind) {
    case 'pending': {
      plan.pending(call, age);
      const { notBegun } = polled;
      const beginsAt = postponedTo(call, notBegun?.startsAt ?? null, at);
      if (notBegun !== undefined && beginsAt === null && call.holdsUntil <= at) {
        const detail = `the service said "${notBegun.word}" until no call lasts longer`;
        await store.recordPoll(attemptId, { kind: 'never_began', at, detail });
        notify({ event: 'look.failed', attempt: attemptId, detail });
        return null;
      }
      const nextPollAt =
        beginsAt === null
          ? nextPoll()
          : Math.max(nextPoll(), Math.min(beginsAt, at + POSTPONED_POLL_MS));
      const found = {
        kind: 'pending',
        at,
        nextPollAt,
        ...(beginsAt !== null && { beginsAt }),
      } as const;
      await store.recordPoll(attemptId, found);
      return nextPollAt;
    }
    case 'ended': {
      plan.lineDown(call, age, by);
      const nextPollAt = pollAt ?? nextPoll();
      const recorded = store.recordPoll(attemptId, { kind: 'ended', at, nextPollAt });
      freeSlot();
      await recorded;
      return nextPollAt;
    }
    case 'unreadable': {
      const { detail, raw } = polled;
      const nextPollAt = nextPoll();
      await store.recordPoll(attemptId, { kind: 'unreadable', at, nextPollAt, detail, raw });
      notify({ event: 'look.failed', attempt: attemptId, detail });
      return nextPollAt;
    }
    case 'failed': {
      const later = Math.max(nextPoll(), at + (polled.retryAfterMs ?? AFTER_FAILURE_MS));
      await store.recordPoll(attemptId, { kind: 'pending', at, nextPollAt: later });
      notify({ event: 'look.failed', attempt: attemptId, detail: polled.detail });
      return later;
    }
    case 'settled': {
      plan.settled(call, age, by, polled.analytics.durationMs);
      const { analytics, said } = polled;
      const { result, source } = outcomeOf(analytics, polled.result);
      if (isNotCalled(result)) {
        const refusal = `ended without ringing: ${said ?? result}`;
        const detail = `the service took call ${callId} and ended it without ringing ("${said ?? result}")`;
        const pause = result === 'not_called_pause';
        const unrung = {
          kind: 'not_called',
          at,
          callId,
          detail,
          notBefore: at,
          refusal,
          pause,
        } as const;
        const recorded = store.recordPoll(attemptId, unrung);
        freeSlot();
        await recorded;
        notify({ event: 'call.released', attempt: attemptId, detail });
        return null;
      }
      const found = { kind: 'settled', at, callId, analytics, result, source } as const;
      const recorded = store.recordPoll(attemptId, found);
      freeSlot();
      if ((await recorded) !== 'conflict') {
        notify({ event: 'call.settled', attempt: attemptId, callId, result });
      }
      return null;
    }
  }
}

/** @returns when the service will begin the call, epoch ms; null: it has, or said nothing that can be true */
function postponedTo({ intentAt }: OpenCall, startsAt: number | null, now: number): number | null {
  return startsAt === null || startsAt <= now || startsAt > intentAt + LONGEST_POSTPONED_MS
    ? null
    : startsAt;
}
