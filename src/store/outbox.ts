import type { NoticeEventName } from '../domain/notices.ts';

/** Messages that callsheet sends, one per receiver: part of the port. Times are epoch ms. */

export interface OutboxReceiver {
  /** A hash of address or command. */
  target: string;
  /** Its name in messages; no secret. */
  shown: string;
}

/** What is sent. Holds no address, no secret and no phone number. */
export interface OutboxBody {
  /** The same for equal messages: made from campaign, night, event and reason. */
  id: string;
  event: NoticeEventName;
  /** A local date of the campaign's zone: `2026-01-05`. */
  night: string;
  reason: string;
  /** Its name. */
  campaign: string;
  text: string;
  [more: string]: unknown;
}

export interface NewMessage {
  campaignId: string;
  at: number;
  body: OutboxBody;
  /** Receivers; none: the message is only recorded. */
  to: readonly OutboxReceiver[];
}

/** A message to one receiver. */
export interface OutboxMessage extends OutboxReceiver {
  id: string;
  at: number;
  body: OutboxBody;
  /** Tries so far. */
  tries: number;
}

/** A message that was not delivered. */
export interface UndeliveredMessage extends Omit<OutboxMessage, 'target'> {
  givenUp: boolean;
  /** Why the last try failed; null: a further one is under way. */
  why: string | null;
}

/** A night with calls and without a recorded end. */
export interface OpenNight {
  campaignId: string;
  night: string;
  /** Calls that the latest `finished` message of the night has counted; null: there was none. */
  toldCalls: number | null;
}

export interface OutboxStore {
  /** Writes a message for each receiver that does not have it yet. */
  outboxPut(message: NewMessage): Promise<void>;
  /** The next message of each receiver that is not being sent to, oldest first. */
  outboxDue(now: number): Promise<OutboxMessage[]>;
  /**
   * Takes a message of `outboxDue` for `LEASE_MS`; then it is due again, so a crash repeats it with the same id.
   * @returns the message with this try counted; null: another process was first
   * @returns the message with this try counted; null: another process was first
   */
  outboxTake(message: OutboxMessage, now: number): Promise<OutboxMessage | null>;
  /**
   * Records the end of a try. `why` null: delivered, even if another process has taken it in between. `due` null: no
   * further try. `due` without `why`: broken off, which does not count as a try.
   */
  outboxTried(
    message: OutboxMessage,
    end: { at: number; why: string | null; due: number | null },
  ): Promise<void>;
  /** Messages since `since` that were given up, and those that wait after a try failed, unless the next one was broken off. */
  undelivered(since: number): Promise<UndeliveredMessage[]>;
  /** Nights of a campaign (null: of all) that are open, the oldest first. */
  openNights(campaignId: string | null): Promise<OpenNight[]>;
  /** Nights of all campaigns whose last call began at `since` or later, and when their first one did. */
  nightsSince(since: number): Promise<{ campaignId: string; night: string; beganAt: number }[]>;
}
