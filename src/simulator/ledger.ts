import type { Account } from './account.ts';
import { capturedLead } from './calls/captured-lead.ts';
import { converse, transcriptOf } from './calls/conversation.ts';
import type { CallRecord } from './calls/timeline.ts';
import type { Wishes } from './options.ts';
import type { Delivery } from './webhooks/webhook-outbox.ts';

/** A phone that rang, and every time it rang, the earliest first. The shape is the same in process and over HTTP. */
export interface LedgerEntry {
  phone_number: string;
  rings: ReturnType<typeof ringOf>[];
}

/** A webhook event, and how its delivery went. */
export type LedgerEvent = ReturnType<typeof eventOf>;

/** The phones that really rang, one entry at a time, so that each transcript is made only when it is read. */
export function* ledgerOf(account: Account, now: number, wishes: Wishes): Generator<LedgerEntry> {
  for (const [phone_number, { rings }] of account.phones) {
    if (rings.length > 0) {
      yield { phone_number, rings: rings.map((call) => ringOf(account, call, { now, wishes })) };
    }
  }
}

/** The events of these accounts; events of earlier calls come first. */
export function* eventsOf(
  accounts: readonly Account[],
  deliveries: readonly Delivery[],
): Generator<LedgerEvent> {
  for (const delivery of deliveries) {
    if (accounts.some(({ id }) => id === delivery.account)) yield eventOf(delivery);
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
  wishes: Wishes,
): Generator<string> {
  yield `{"calls":${account.calls.size},"peak":${account.peak},"numbers":[`;
  yield* separated(ledgerOf(account, now, wishes));
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

function eventOf({ event, state, tries }: Delivery) {
  return {
    event_id: event.id,
    type: event.type,
    call_id: event.callId,
    happened_at: new Date(event.happenedAt).toISOString(),
    /** The fault that was injected; null: none. */
    fault: event.fault,
    state,
    /** POSTs so far. */
    tries,
  };
}

function ringOf(
  account: Account,
  call: CallRecord,
  { now, wishes }: { now: number; wishes: Wishes },
) {
  const isOver = now >= call.endedAt;
  const said = isOver ? converse(call, account.agentOf(call), wishes) : null;
  return {
    call_id: call.id,
    agent_id: call.agentId,
    /** The `Idempotency-Key` of the dial; null if it had none. */
    attempt_key: call.attemptKey,
    rang_at: new Date(call.placedAt).toISOString(),
    /** null until the call has ended, and so are the five fields below. */
    ended_at: isOver ? new Date(call.endedAt).toISOString() : null,
    outcome: isOver ? call.outcome : null,
    /** Seconds; 0 if nobody answered. */
    duration: isOver ? call.durationS : null,
    /** null also if nobody answered. */
    sentiment: said?.sentiment ?? null,
    /** Empty if nobody answered. */
    transcript: said && transcriptOf(said.turns),
    /** The captured lead, by field; null also if nothing was captured. */
    captured_lead: (said && capturedLead(call, said.sentiment))?.fields ?? null,
  };
}
