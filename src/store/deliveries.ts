import type { DeliveryFacts, DeliveryMatch } from '../domain/delivery-match.ts';
import type { E164 } from '../domain/phone.ts';
import type { Recorded } from './records.ts';

export type { DeliveryFacts, DeliveryMatch, MatchCandidate } from '../domain/delivery-match.ts';

/** What services send by themselves, and what became of it. Part of the port. */
export interface DeliveryStore {
  /**
   * Keeps a delivery once; false when it was there already, which is counted. One that has the name of
   * another and other bytes is another delivery. Group-committed.
   */
  inboxPut(delivery: Delivery): Promise<boolean>;
  /** Deliveries to be looked at, oldest first. */
  dueDeliveries(query: { service: string; now: number; limit: number }): Promise<DueDelivery[]>;
  /** When the first delivery is to be looked at, or null when there is none. */
  nextDeliveryAt(service: string): Promise<number | null>;
  /** Which attempts deliveries speak of, an answer for each. */
  matchDeliveries(service: string, facts: readonly DeliveryFacts[]): Promise<DeliveryMatch[]>;
  /**
   * Calls of all campaigns at a service that may or may not have been made, with an intent at `since` (epoch ms) or
   * later; the youngest 1,000 of them.
   */
  openDoubts(service: string, since: number): Promise<OpenDoubt[]>;
  /** Another source than the dial's own answer names the call of an attempt. Group-committed. */
  recordEvidence(attemptId: string, evidence: Evidence): Promise<Recorded>;
  /** Keeps what became of deliveries, with what they brought. */
  decideDeliveries(decisions: readonly DeliveryDecision[]): Promise<void>;
  /** Deliveries without an attempt whose call or key an attempt has meanwhile are due now; how many. */
  wakeDeliveries(service: string, now: number): Promise<number>;

  /** Newest first. */
  listDeliveries(query: DeliveryQuery): Promise<KeptDelivery[]>;
  findDelivery(id: string): Promise<(KeptDelivery & { body: Uint8Array }) | undefined>;
  /** Drops headers and bodies of some old deliveries. @returns where to go on, epoch ms; null: there are no more */
  dropBodies(query: OldBodies): Promise<number | null>;
  /** They are looked at again, from the beginning; how many. Not those whose body is gone. */
  replayDeliveries(
    query: { ids: readonly string[] } | { state: DeliveryState },
    now: number,
  ): Promise<number>;
  /** How many there are, by state. */
  countDeliveries(): Promise<DeliveryCount[]>;
  /** Captured leads of a campaign in the order they came; `after`: the last one's cursor. */
  capturedLeads(campaignId: string, after: string | null, limit: number): Promise<CapturedLead[]>;

  /** The part of a service's webhook address that nobody can guess: `fresh` the first time, for good. */
  webhookToken(service: string, fresh: string, now: number): Promise<string>;
}

export interface Delivery {
  id: string;
  service: string;
  /** The service's delivery id, or a hash of the raw body; unique per service. */
  key: string;
  receivedAt: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** True when its signature was right. */
  signed: boolean;
}

/** Why a delivery is where it is. */
export type DeliveryState =
  /** Kept, not looked at yet. */
  | 'received'
  /** What it says is in the results, or was there already. */
  | 'applied'
  /** Unsigned: its call is read from the service instead. */
  | 'hint'
  /** No attempt is known that it speaks of; looked for again. */
  | 'unmatched'
  /** It says what cannot be true. */
  | 'contradicted'
  /** The profile says that its type means nothing. */
  | 'ignored'
  /** The profile does not name its type. */
  | 'unknown'
  /** It is not what the profile expects. */
  | 'unreadable';

export const DELIVERY_STATES = [
  'received',
  'applied',
  'hint',
  'unmatched',
  'contradicted',
  'ignored',
  'unknown',
  'unreadable',
] as const satisfies readonly DeliveryState[];

export interface DueDelivery {
  id: string;
  receivedAt: number;
  headers: Record<string, string>;
  body: Uint8Array;
  signed: boolean;
}

/** A call that may or may not have been made, as far as it takes to look for it. */
export interface OpenDoubt {
  attemptId: string;
  campaignId: string;
  /** The idempotency key of the dial. */
  key: string;
  phone: E164;
  state: 'unknown' | 'unconfirmed';
  intentAt: number;
  /** When its answer was lost, epoch ms; null: before that was kept. */
  since: number | null;
  /** True when a person has said what became of it. */
  resolved: boolean;
}

export interface Evidence {
  callId: string;
  at: number;
  nextPollAt: number;
  /** True when the number alone led here: the dial's own answer outranks it. */
  byNumber: boolean;
}

export interface DeliveryDecision {
  id: string;
  /** Epoch ms. */
  at: number;
  state: Exclude<DeliveryState, 'received'>;
  /** A sentence's end, for people. */
  reason: string | null;
  type: string | null;
  callId: string | null;
  attemptKey: string | null;
  attemptId: string | null;
  /** When it is looked at again; null: that was it. */
  tryAt: number | null;
  /** The fields that it brought; kept even while no attempt is known. */
  lead: { fields: Record<string, unknown>; capturedAt: number; signed: boolean } | null;
}

/** Deliveries of a service that are not looked at any more, from the time `from` on; times: epoch ms. */
export interface OldBodies {
  service: string;
  from: number;
  /** Those that have done their part and were received before this. */
  before: number;
  /** Those that came to nothing (unmatched, contradicted, unknown, unreadable) and were received before this. */
  uselessBefore: number;
}

export interface DeliveryQuery {
  state: DeliveryState | null;
  service: string | null;
  limit: number;
}

export interface KeptDelivery {
  id: string;
  service: string;
  key: string;
  receivedAt: number;
  /** How often it was sent. */
  times: number;
  signed: boolean;
  state: DeliveryState;
  reason: string | null;
  type: string | null;
  callId: string | null;
  attemptId: string | null;
  /** The number that was dialled, once the attempt is known. */
  phone: E164 | null;
  campaign: string | null;
  headers: Record<string, string>;
  /** It did its part, or came to nothing, long ago: headers and body are gone, its repetitions are still told. */
  bodyDropped: boolean;
}

export interface DeliveryCount {
  service: string;
  state: DeliveryState;
  count: number;
}

export interface CapturedLead {
  cursor: string;
  phone: E164;
  callId: string | null;
  attemptId: string;
  service: string;
  /** Epoch ms, by the service's clock where it said so. */
  capturedAt: number;
  signed: boolean;
  fields: Record<string, unknown>;
}
