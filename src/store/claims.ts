import type { PeopleAt } from '../domain/calling/openings.ts';
import type { Hold } from '../domain/calling/policy.ts';
import type { CallEnd, CampaignSettings } from '../domain/campaign.ts';
import type { Person } from '../domain/lists/person.ts';
import type { E164 } from '../domain/phone.ts';
import type { Owner } from './records.ts';

/** Claims and what holds a lead back: part of the port. Times are epoch ms. */

export interface ClaimRequest {
  campaignId: string;
  /** Most intents wanted: the number of free request lanes, at least 1. */
  want: number;
  /** Upper bound for the slots that this campaign uses: the operator's concurrency or less. */
  slots: number;
  /** Upper bound for calls in progress at the service, over all campaigns; null: no limit. */
  serviceSlots: number | null;
  service: string;
  /** See VoiceService.fingerprint: until a dial under it was answered as expected, only one dial is in flight. */
  fingerprint: string;
  now: number;
  owner: Owner;
  /** Set for services that answer one key with one call: lost dials are replayed before new leads are called. */
  replay?: {
    /** How long the service knows a key, ms. */
    forMs: number;
    /** See VoiceService.idempotency. */
    account: string;
    /** The monotonic clock of the process that asks, ms: shows by how much the wall clock was set back. */
    monotonic: number;
  };
  /** True when the dial needs the cells of the lead's row; default false. */
  withVariables?: boolean;
}

export type ClaimShortfall =
  | 'not_running'
  /** The database's disk has less room than callsheet keeps free. */
  | 'disk_full'
  /** Another program has locked the database, or its server is away: nothing was claimed, and the caller should ask again. */
  | 'store_locked'
  /** Another machine must first show its dial journal to this copy of the database; the caller asks again. */
  | 'machines_awaited'
  | 'no_free_slot'
  /** All free slots of the service are the share of other campaigns that are short of them. */
  | 'share'
  | 'service_backoff'
  | 'pace'
  | 'first_answer_pending'
  | 'not_yet_due'
  /** Leads wait, but nobody's hours are open; `askAgainAt` is the next opening, null: there is none. */
  | 'outside_hours'
  | 'list_unfinished'
  /** A budget is used up or reserved; `askAgainAt` null: until somebody changes it. */
  | 'budget'
  | 'none_waiting';

export type PresentValues = Readonly<Pick<CampaignSettings, 'concurrency' | 'requests'>>;

export interface Claim {
  intents: Intent[];
  /** Why there are fewer intents than were wanted; null when there are as many. */
  shortfall: ClaimShortfall | null;
  /** When another claim may give more (epoch ms); null: only after something else has changed. */
  askAgainAt: number | null;
  /** The campaign's settings at this time, also without intents; null: the campaign was not read. */
  settings: PresentValues | null;
}

export interface Intent {
  /** Names the attempt within this store. */
  attemptId: string;
  /** The idempotency key: used again after a release, never shared by two attempts that count. */
  key: string;
  phone: E164;
  agent: string;
  /** 1 for the lead's first spent attempt, 2 for its second ... */
  ordinal: number;
  intentAt: number;
  /** Set for a replay: the answer of an earlier dial under the same key was lost. */
  replayed?: true;
  /** The lead's cells by column; null unless `withVariables` asked for them. */
  variables?: Readonly<Record<string, string>> | null;
  /** What the list's import recognised about the person; null unless `withVariables` asked for it. */
  person?: Person | null;
}

/** A process that runs a campaign. */
export interface Runner extends Owner {
  since: number;
  /** When it reported last, epoch ms; it may have been killed since. */
  seenAt: number;
  /** False: it collects results and does not dial. */
  dials: boolean;
}

/** When people who wait may be called, by the functions that the claim decides by. Part of the port. */
export interface NextCallStore {
  /** When a claim would call this waiting lead, and what holds it back now; undefined: no such lead waits. */
  nextCall(campaignId: string, phone: E164, now: number): Promise<NextCall | undefined>;
  /** The dial that a claim would begin with at `now`, or at the next opening after it; undefined: nobody waits. */
  firstDial(campaignId: string, now: number): Promise<FirstDial | undefined>;
  /** What stops a claim from calling anybody at `now`, in the order in which it asks; empty: nothing. */
  claimGates(query: {
    campaignId: string;
    /** As in `ClaimRequest`. */
    serviceSlots: number | null;
    now: number;
  }): Promise<ClaimGate[]>;
  /** The times at which claims held this lead back, oldest first. */
  holdsOf(campaignId: string, phone: E164): Promise<HeldBack[]>;
  /** People whom the setting `variables` holds back. */
  blankPeople(campaignId: string): Promise<number>;
  /**
   * In the order of their keys; those of a place who are due at `at` first, the others apart. Above 10,000 of both, they are
   * told apart as they were up to a second before.
   */
  placesOf(campaignId: string, at: number): Promise<PeopleAt[]>;
}

/** Always with what the row says. */
export type FirstDial = Pick<Intent, 'key' | 'phone'> &
  Required<Pick<Intent, 'variables' | 'person'>>;

export interface NextCall {
  /**
   * Epoch ms at which nothing holds the call back; where calling hours are so rare that it was not found, a moment
   * before which there is none. Null: never, unless somebody changes something.
   */
  at: number | null;
  /** What holds it back now, in this order: its own time, calling hours, suppression, earlier calls, caps. */
  holds: Hold[];
}

/** Something that stops all calls of a campaign. */
export interface ClaimGate {
  why: ClaimShortfall;
  /** When it ends, epoch ms; null: that cannot be told. */
  until: number | null;
}

export interface HeldBack extends Hold {
  /** When the claim decided it, epoch ms. */
  at: number;
}

/** A call of another campaign whose phone may have rung. */
export interface EarlierCall extends CallEnd {
  /** The cursor: `before` of the next page. */
  attemptId: string;
  phone: E164;
  campaignId: string;
  /** When the call began. */
  at: number;
  /** State of the lead with this number in the campaign that asks; null: there is no such lead. */
  lead: 'waiting' | 'other' | null;
  /** True: the number is on the suppression list. */
  suppressed: boolean;
}

/** A list with the same bytes in another campaign, which has called people of it or may still do so. */
export interface SameList {
  sha256: string;
  path: string;
  /** When it came in. */
  at: number;
  campaign: string;
  /** True: that campaign may still call people of the list. */
  waits: boolean;
}

/** Simulated campaigns see simulated calls only, and real campaigns real calls only. */
export interface OtherCampaigns {
  /** The campaign that asks; null: one that does not exist yet. */
  campaignId: string | null;
  simulated: boolean;
}

export interface EarlierCallStore {
  /** Calls of other campaigns that are older than `before` (null: all), the newest first; at most `limit`. */
  earlierCalls(
    query: OtherCampaigns & { now: number; before: string | null; limit: number },
  ): Promise<EarlierCall[]>;
  /** All calls of other campaigns to these numbers (at most 1,000), the newest first. */
  earlierCallsOf(
    query: OtherCampaigns & { now: number; phones: readonly E164[] },
  ): Promise<EarlierCall[]>;
  /** Lists of other campaigns with one of these hashes, the newest first. */
  sameLists(query: OtherCampaigns & { sha256s: readonly string[] }): Promise<SameList[]>;
}

/** A dial that was allowed, as the dial journal keeps it. */
export interface JournalEntry {
  seq: number;
  campaignId: string;
  key: string;
  ordinal: number;
  phone: string;
  service: string;
  agent: string;
  intentAt: number;
}
