import type { Account } from './account.ts';
import { converse, transcriptOf } from './conversation.ts';
import type { SentimentResult } from './conversation.ts';
import type { Outcome } from './mix.ts';
import type { CallRecord } from './timeline.ts';

/** A phone that rang, with every time it did, the first first. The same in process and on the wire. */
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
  /** ISO 8601; null while the line is up, and so are the next four. */
  ended_at: string | null;
  outcome: Outcome | null;
  /** Seconds; 0 if nobody answered. */
  duration: number | null;
  /** null also if nobody answered. */
  sentiment: SentimentResult | null;
  /** Empty if nobody answered. */
  transcript: string | null;
}

/** What phones really rang, entry by entry: transcripts are made while it is read. */
export function* ledgerOf(account: Account, now: number): Generator<LedgerEntry> {
  for (const [phone_number, { rings }] of account.phones) {
    if (rings.length > 0) {
      yield { phone_number, rings: rings.map((call) => ringOf(account, call, now)) };
    }
  }
}

/** The ledger as the text of one JSON object `{calls, peak, numbers: LedgerEntry[]}`, in pieces. */
export function* ledgerJson(account: Account, now: number): Generator<string> {
  yield `{"calls":${account.callCount},"peak":${account.peak},"numbers":[`;
  let separator = '';
  for (const entry of ledgerOf(account, now)) {
    yield separator + JSON.stringify(entry);
    separator = ',';
  }
  yield ']}';
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
  };
}
