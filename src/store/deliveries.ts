import type { DeliveryFacts, DeliveryMatch, DeliveryState } from '../domain/same-call.ts';
import type { E164 } from '../domain/phone.ts';
import type { Recorded } from './records.ts';

export type {
  DeliveryFacts,
  DeliveryMatch,
  DeliveryState,
  MatchCandidate,
} from '../domain/same-call.ts';

/** Webhook deliveries and their states: part of the port. */
export interface DeliveryStore {
  /**
   * Stores a delivery once; false when it was stored before, and then the repetition is counted. A delivery with a
   * known key but different bytes is stored as a new one. Group-committed.
   */
  inboxPut(delivery: Delivery): Promise<boolean>;
  /**
   * Deliveries to be applied or matched now, the longest due first. `receiver`: what the ids of this process's own ones
   * begin with; those that others received less than `TAKEN_OVER_MS` ago, by the clock of the machine that received
   * them, are left to these. Default: all.
   */
  dueDeliveries(query: {
    service: string;
    now: number;
    limit: number;
    receiver?: string;
  }): Promise<DueDelivery[]>;
  /**
   * When the first delivery of the receiver (default: of any) is due, epoch ms, or null when there is none up to `until`
   * (default: ever): those of others that are due before are passed over one by one.
   */
  nextDeliveryAt(service: string, receiver?: string, until?: number): Promise<number | null>;
  /** Finds the attempts that deliveries are about: one answer per delivery, in the order of `facts`. */
  matchDeliveries(service: string, facts: readonly DeliveryFacts[]): Promise<DeliveryMatch[]>;
  /**
   * Calls of all campaigns at a service that may or may not have been made, with an intent at `since` (epoch ms) or
   * later; the youngest 1,000 of them.
   */
  openDoubts(service: string, since: number): Promise<OpenDoubt[]>;
  /** Records that a source other than the dial's own answer names the call of an attempt. Group-committed. */
  recordEvidence(attemptId: string, evidence: Evidence): Promise<Recorded>;
  /** Records the new states of deliveries, and the captured leads that came with them. */
  decideDeliveries(decisions: readonly DeliveryDecision[]): Promise<void>;
  /** Re-queues unmatched deliveries whose call id or idempotency key now belongs to an attempt. @returns how many */
  wakeDeliveries(service: string, now: number): Promise<number>;

  /** Newest first. */
  listDeliveries(query: DeliveryQuery): Promise<KeptDelivery[]>;
  /** Deliveries about these attempts (at most 1,000), in the order in which they came. */
  deliveriesOf(attemptIds: readonly string[]): Promise<KeptDelivery[]>;
  findDelivery(id: string): Promise<(KeptDelivery & { body: Uint8Array }) | undefined>;
  /** Deletes headers and bodies of some old deliveries. @returns the next query's `from`, epoch ms; null: none left */
  dropBodies(query: OldBodies): Promise<number | null>;
  /** Makes deliveries due again as if they had just come, unless their body was deleted. @returns how many */
  replayDeliveries(
    query: { ids: readonly string[] } | { state: DeliveryState; service?: string },
    now: number,
  ): Promise<number>;
  /** The number of deliveries, by service and state. */
  countDeliveries(): Promise<DeliveryCount[]>;
  /** Captured leads of a campaign in the order in which they came; `after`: the cursor of the last one read. */
  capturedLeads(campaignId: string, after: string | null, limit: number): Promise<CapturedLead[]>;

  /** The secret part of a service's webhook address: the first call stores `fresh`, later calls return that one. */
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
  /** True when its signature was valid. */
  signed: boolean;
}

export type DueDelivery = Omit<Delivery, 'service' | 'key'>;

/** A call that may or may not have been made, with what a search for it needs. */
export interface OpenDoubt {
  attemptId: string;
  campaignId: string;
  /** The idempotency key of the dial. */
  key: string;
  phone: E164;
  agent: string;
  state: 'unknown' | 'unconfirmed';
  intentAt: number;
  /** When its answer was lost, epoch ms; null: an older version did not record it. */
  since: number | null;
  /** True when a person has resolved it. */
  resolved: boolean;
}

export interface Evidence {
  callId: string;
  at: number;
  nextPollAt: number;
  /** True when only the phone number matched: a later answer of the dial itself replaces this call id. */
  byNumber: boolean;
}

export interface DeliveryDecision {
  id: string;
  /** Epoch ms. */
  at: number;
  state: Exclude<DeliveryState, 'received'>;
  /** The end of a sentence that is shown to people, e.g. `it was known already`. */
  reason: string | null;
  type: string | null;
  callId: string | null;
  attemptKey: string | null;
  attemptId: string | null;
  /** When it is matched again, epoch ms; null: never. */
  tryAt: number | null;
  /** The fields of a captured lead, stored even while no attempt is known. */
  lead: { fields: Record<string, unknown>; capturedAt: number; signed: boolean } | null;
}

/** Selects deliveries that are not due, received at `from` or later; times are epoch ms. */
export interface OldBodies {
  service: string;
  from: number;
  /** Applied, ignored and hint deliveries are selected when received before this. */
  before: number;
  /** The same for deliveries without effect (unmatched, contradicted, unknown, unreadable). */
  uselessBefore: number;
}

export interface DeliveryQuery {
  state: DeliveryState | null;
  service: string | null;
  /** Only those after this id; left out: from the newest on. */
  after?: string | null;
  limit: number;
}

export interface KeptDelivery extends Omit<Delivery, 'body'> {
  /** How often the service has sent it. */
  times: number;
  state: DeliveryState;
  reason: string | null;
  type: string | null;
  callId: string | null;
  attemptId: string | null;
  /** The number that was dialled, once the attempt is known. */
  phone: E164 | null;
  campaign: string | null;
  /** True: headers and body were deleted, long after processing; repetitions are still recognised. */
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
