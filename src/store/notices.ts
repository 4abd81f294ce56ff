import type { NoticeEventName } from '../domain/notices/target.ts';

/** Notices to people, and their way to each receiver. Part of the port; times are epoch ms. */

export interface NewNotice {
  /** The same for equal notices: made from campaign, night, event and reason. */
  id: string;
  /** Null: it is of no campaign. */
  campaignId: string | null;
  /** A local date of the campaign's zone: `2026-01-05`. */
  night: string;
  event: NoticeEventName;
  /** Tells events of one kind apart, e.g. `key` and `disk_full`. */
  reason: string;
  at: number;
  /** What is sent, but for what was folded. Holds no address, no secret and no phone number. */
  body: Record<string, unknown>;
  /** Who is told; none: it is only written down. */
  to: readonly NoticeReceiver[];
}

export interface NoticeReceiver {
  /** A hash that stands for address or command. */
  target: string;
  /** How it is called in messages; no secret. */
  shown: string;
}

/** Repeats of an earlier notice that its receiver was not told of yet. */
export interface FoldedRepeats {
  event: NoticeEventName;
  reason: string;
  night: string;
  text: string;
  times: number;
  lastAt: number;
}

/** A notice that this process may send now, to one receiver. */
export interface ClaimedSend {
  id: string;
  target: string;
  shown: string;
  campaignId: string | null;
  at: number;
  body: Record<string, unknown>;
  folded: FoldedRepeats[];
  /** Which try this is, from 1. */
  tries: number;
}

/** A night in which calls were made and of whose end nothing is written down yet. */
export interface OpenNight {
  campaignId: string;
  night: string;
  startedAt: number;
  /** Calls of the night of which a `finished` has told; null: none was written. */
  toldCalls: number | null;
}

/** A notice that has not come to its receiver. */
export interface UndeliveredNotice {
  id: string;
  event: NoticeEventName;
  campaign: string | null;
  shown: string;
  state: 'waiting' | 'given_up';
  at: number;
  tries: number;
  /** Why the last try failed; null: there was none. */
  why: string | null;
  /** When it is tried again, if anything runs then. */
  nextAt: number;
}

export interface NoticeStore {
  /**
   * Writes a notice for each of its receivers, with the repeats of earlier notices of the campaign that they were not
   * told of. One that is there already is only counted; `started` and `finished`, which several processes see, are not.
   */
  addNotice(notice: NewNotice): Promise<'written' | 'folded'>;
  /** Nights of a campaign (null: of all) that are open, the oldest first. */
  openNights(campaignId: string | null): Promise<OpenNight[]>;
  /** Nights of all campaigns whose last call began at `since` or later, and when their first one did. */
  nightsSince(since: number): Promise<{ campaignId: string; night: string; beganAt: number }[]>;
  /** The targets to which notices are due that nobody is sending now; each once. */
  dueTargets(query: { now: number; leaseMs: number }): Promise<string[]>;
  /**
   * Takes due notices to these receivers, the oldest first, for `leaseMs`: no other process gets them meanwhile, and
   * whoever asks after that does, so that a crash between sending and recording repeats them with the same id.
   */
  claimNotices(query: {
    targets: readonly string[];
    /** Names this claim; see `noticeFailed`. */
    by: string;
    now: number;
    leaseMs: number;
    limit: number;
  }): Promise<ClaimedSend[]>;
  /** A notice has come to its receiver: holds whoever has claimed it meanwhile. */
  noticeSent(send: { id: string; target: string }, at: number): Promise<void>;
  /** A try failed; `nextAt` null: the notice is given up. Ignored unless `by` has it still. */
  noticeFailed(
    send: { id: string; target: string; by: string },
    end: { at: number; why: string; nextAt: number | null },
  ): Promise<void>;
  /** Gives up waiting notices written before `before` to receivers that are not among these. @returns those */
  expireNotices(
    known: readonly string[],
    before: number,
    why: string,
  ): Promise<UndeliveredNotice[]>;
  /** Notices since `since` that were given up, and those that wait after a try failed. */
  undeliveredNotices(since: number): Promise<UndeliveredNotice[]>;
}
