import type { NoticeEventName } from '../domain/notices.ts';

/** What callsheet tells others, and its way to each receiver. Part of the port; times are epoch ms. */

export interface OutboxReceiver {
  /** A hash that stands for address or command. */
  target: string;
  /** How it is called in messages; no secret. */
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
  /** Who is told; none: it is only written down. */
  to: readonly OutboxReceiver[];
}

/** A message on its way to one receiver. */
export interface OutboxMessage extends OutboxReceiver {
  id: string;
  at: number;
  body: OutboxBody;
  /** How often it was tried. */
  tries: number;
}

/** A message that has not come to its receiver. */
export interface UndeliveredMessage extends Omit<OutboxMessage, 'target'> {
  givenUp: boolean;
  /** Why the last try failed; null: a further one is under way. */
  why: string | null;
}

/** A night in which calls were made and of whose end nothing is written down yet. */
export interface OpenNight {
  campaignId: string;
  night: string;
  /** How many calls the latest `finished` of the night has counted; null: none was written. */
  toldCalls: number | null;
}

export interface OutboxStore {
  /** Writes a message for each of its receivers who does not have it yet. */
  outboxPut(message: NewMessage): Promise<void>;
  /** The next message for each receiver to whom none is under way, in the order in which they were written. */
  outboxDue(now: number): Promise<OutboxMessage[]>;
  /**
   * Takes a message, as `outboxDue` gave it, to send it within `LEASE_MS`: no other process has it meanwhile. After that
   * it is due again, so that a crash between sending and recording repeats it with the same id.
   *
   * @returns the message with this try counted; null: another process was first
   */
  outboxTake(message: OutboxMessage, now: number): Promise<OutboxMessage | null>;
  /**
   * Records the end of a try. `why` null: it came, which holds also if another process has taken it meanwhile; a
   * failure does not. `due` null: it is not tried again. `due` without `why`: it was broken off, which is no try.
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
