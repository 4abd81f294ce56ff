import type { SeenCall, WaitingPerson } from '../domain/forecast/game.ts';
import type { LeadResult } from '../domain/lead.ts';
import type { Limit } from '../domain/nights/budget.ts';
import type { HowMet, Night } from '../domain/nights/night.ts';
import type { Spent } from '../domain/nights/spent.ts';
import type { NoticeEventName } from '../domain/notices.ts';
import type { Owner } from './records.ts';

/** Nights, budgets and shares: part of the port. Times are epoch ms. */

/** One night of a campaign; attempts whose dial has no answer yet are not counted. */
export interface NightRow extends Spent {
  /** Dials that were refused for good, and those that made no call: see `DialCounts`. Neither is among `calls`. */
  refused: number;
  notMade: number;
  /** `2026-01-05`; `''`: all calls from before nights were kept. */
  night: string;
  /** When its first and its last call began. */
  beganAt: number;
  lastAt: number;
  /** The key of the budget that ended its dialling: `stop.calls`; null: none did. */
  endedBy: string | null;
  /** Why the last run stopped calling, see `NightEnd`; null: it still calls, or it was killed. */
  endReason: string | null;
  /** The last results file of this night; null: none was written. */
  resultsFile: string | null;
  /** The host that wrote it; null: not known. */
  resultsMachine: string | null;
  /** When the file had every call of the night; null: not yet, or calls were made since. */
  resultsAt: number | null;
  /** The process that began to write the file after the night; null: none. */
  resultsTaker: ResultsTaker | null;
}

/** A process that writes the results of a night that is over. */
export interface ResultsTaker extends Owner {
  /** When it began, epoch ms. */
  at: number;
  /** Identifies the file that was there before; null: none was. */
  before: string | null;
  /** It ended without results, and nobody retries: the existing file must not be replaced, or cannot hold them. */
  refused?: true;
}

/** Results that were written under the date of a night. */
export interface NightFile {
  campaignId: string;
  night: string;
  file: string;
  machine: string;
  at: number;
  /** Calls of the night before they were read, refused ones included; null: the night is over. */
  calls: number | null;
}

export interface NightDoubts {
  night: string;
  inDoubt: number;
  open: number;
  doubts: number;
}

/** What the budgets of a campaign allow at a moment. */
export interface BudgetNow {
  night: Night;
  /** The next night on which the campaign's own hours open. */
  next: Night;
  /** With all attempts, also those whose dial is not answered yet. */
  tonight: Spent;
  campaign: Spent;
  /** How many more calls may begin now; Infinity: no budget limits them. */
  more: number;
  limit: Limit | null;
}

/** A campaign's part of a service's slots, if it holds some or was short of them lately. */
export interface SlotShare {
  /** The campaign's name. */
  campaign: string;
  /** Slots that its calls hold. */
  held: number;
  /** Further slots that it could use; 0: it has enough. */
  wants: number;
  weight: number;
  /** Its weight's part of all of theirs, 0 to 1. */
  share: number;
}

export interface NightStore {
  /** What the campaign's `stop` allows now; null: it has none. */
  budget(campaignId: string, now: number): Promise<BudgetNow | null>;
  /** The nights of a campaign, the first one first. */
  nights(campaignId: string): Promise<NightRow[]>;
  /** How many calls of a campaign have a result. */
  callsWithResult(campaignId: string): Promise<number>;
  /** Calls in doubt by night; `open`: those that may still be on the line; `doubts`: those that no person has settled. */
  nightDoubts(campaignId: string): Promise<NightDoubts[]>;
  /** Leads that are final by a call of this night, by result; those that ended without a call are not in it. */
  finalLeads(campaignId: string, night: string): Promise<{ result: LeadResult; leads: number }[]>;
  /** Records why calling stopped in a night; a recorded reason stays until the night has further calls. */
  keepNightEnd(campaignId: string, night: string, reason: string): Promise<void>;
  /** Begins to write the results of a night that is over, if nobody has since `taken`. @returns whether it may */
  takeNightResults(
    campaignId: string,
    night: string,
    by: ResultsTaker,
    taken: ResultsTaker | null,
  ): Promise<boolean>;
  /** Records where the results of a night are; while calls are in progress, they are not final. */
  keepNightFile(written: NightFile): Promise<void>;
  /** Who holds the slots of a service, or was short of them within the last two seconds, by name. */
  slotShares(service: string, now: number): Promise<SlotShare[]>;
}

/** Scheduled starts of campaigns: part of the port. Times are epoch ms. */

export interface Firing {
  /** The scheduled time. */
  at: number;
  met: HowMet;
  takenAt: number;
  taker: Owner;
}

export interface FiringStore {
  /** The newest fifty of a campaign, the newest first. */
  firings(campaignId: string): Promise<Firing[]>;
  /** Takes up a scheduled time, once. @returns false when another process, or this one, has taken it before */
  takeFiring(campaignId: string, firing: Firing): Promise<boolean>;
}

/** What a forecast reads: part of the port. Times are epoch ms. */
export interface ForecastStore {
  /** Waiting people with their earlier calls, in list order: one of each `every`; 1: all. */
  waitingPeople(campaignId: string, every: number): Promise<WaitingPerson[]>;
  /** The newest calls with a result of one service, at most `limit`; some hundred thousand attempts are searched. */
  seenCalls(query: SeenQuery): Promise<SeenCall[]>;
}

export interface SeenQuery {
  service: string;
  /** Null: of all agents. */
  agent: string | null;
  /** Null: of all campaigns. */
  campaignId: string | null;
  limit: number;
}

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
  /** Writes a message for each receiver that does not have it yet, with the body that the first one got. */
  outboxPut(message: NewMessage): Promise<void>;
  /** The next message of each receiver that is not being sent to, oldest first. */
  outboxDue(now: number): Promise<OutboxMessage[]>;
  /**
   * Takes a message of `outboxDue` for `LEASE_MS`; then it is due again, so a crash repeats it with the same id.
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
