import type { Account } from './account.ts';
import { capturedLead } from './calls/captured-lead.ts';
import { converse, transcriptOf } from './calls/conversation.ts';
import type { SentimentResult } from './calls/conversation.ts';
import type { Outcome } from './calls/outcome-mix.ts';
import type { CallRecord } from './calls/timeline.ts';
import type { EventType } from './webhooks/webhook-events.ts';
import type { Delivery, EventState } from './webhooks/webhook-outbox.ts';

/** A phone that rang, and each time it did, the earliest first. In process and over HTTP alike. */
export interface LedgerEntry {
  phone_number: string;
  rings: LedgerRing[];
}

export interface LedgerRing {
  call_id: string;
  agent_id: string;
  /** The `Idempotency-Key` of the dial; null if it had none. */
  attempt_key: string | null;
  /** ISO 8601. */
  rang_at: string;
  /** ISO 8601; null while the line is up, and so are the five fields below. */
  ended_at: string | null;
  outcome: Outcome | null;
  /** Seconds; 0 if nobody answered. */
  duration: number | null;
  /** null also if nobody answered. */
  sentiment: SentimentResult | null;
  /** Empty if nobody answered. */
  transcript: string | null;
  /** The captured lead, by field; null also if nothing was captured. */
  captured_lead: Record<string, unknown> | null;
}

/** A webhook event, and how its delivery went. */
export interface LedgerEvent {
  event_id: string;
  type: EventType;
  call_id: string;
  /** ISO 8601. */
  happened_at: string;
  /** The fault that was injected. */
  fault: string | null;
  state: EventState;
  /** POSTs so far. */
  tries: number;
}

/** The phones that really rang, one entry at a time: transcripts are made only while they are read. */
export function* ledgerOf(account: Account, now: number): Generator<LedgerEntry> {
  for (const [phone_number, { rings }] of account.phones) {
    if (rings.length > 0) {
      yield { phone_number, rings: rings.map((call) => ringOf(account, call, now)) };
    }
  }
}

/** The events of these accounts, those of the earliest calls first. */
export function* eventsOf(
  accounts: readonly Account[],
  deliveries: readonly Delivery[],
): Generator<LedgerEvent> {
  for (const { account, event, state, tries } of deliveries) {
    if (!accounts.some(({ id }) => id === account)) continue;
    const { id: event_id, type, callId: call_id, fault } = event;
    const happened_at = new Date(event.happenedAt).toISOString();
    yield { event_id, type, call_id, happened_at, fault, state, tries };
  }
}

/**
 * The ledger as the text of one JSON object `{calls, peak, numbers: LedgerEntry[], events: LedgerEvent[]}`,
 * in pieces.
 */
export function* ledgerJson(
  account: Account,
  deliveries: readonly Delivery[],
  now: number,
): Generator<string> {
  yield `{"calls":${account.callCount},"peak":${account.peak},"numbers":[`;
  yield* separated(ledgerOf(account, now));
  yield '],"events":[';
  yield* separated(eventsOf([account], deliveries));
  yield ']}';
}

function* separated(items: Iterable<unknown>): Generator<string> {
  let separator = '';
  for (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',';
  }
}

function ringOf(account: Account, call: CallRecord, now: number): LedgerRing {
  const ring = {
    call_id: call.id,
    agent_id: call.agentId,
    attempt_key: call.attemptKey,
    rang_at: new Date(call.placedAt).toISOString(),
  };
  if (now < call.endedAt) {
    return {
      ...ring,
      ended_at: null,
      outcome: null,
      duration: null,
      sentiment: null,
      transcript: null,
      captured_lead: null,
    };
  }
  const { turns, sentiment } = converse(call, account.agentOf(call));
  return {
    ...ring,
    ended_at: new Date(call.endedAt).toISOString(),
    outcome: call.outcome,
    duration: call.durationS,
    sentiment,
    transcript: transcriptOf(turns),
    captured_lead: capturedLead(call, sentiment)?.fields ?? null,
  };
}
