import type { CampaignSettings } from '../domain/campaign.ts';
import type { Person } from '../domain/lists/person.ts';
import type { E164 } from '../domain/phone.ts';
import type { Owner } from './records.ts';

/** What a claim asks for and what it gives: leads that may be dialled now. Part of the port; times are epoch ms. */

export interface ClaimRequest {
  campaignId: string;
  /** How many intents are wanted at most: the number of free request lanes, at least 1. */
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
  /** Another program has locked the database: nothing was claimed, and the caller should ask again. */
  | 'store_locked'
  | 'no_free_slot'
  /** The service has free slots, and they are the share of other campaigns that are short of them. */
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

/** The limits that a run in progress follows. */
export type PresentValues = Readonly<Pick<CampaignSettings, 'concurrency' | 'requests'>>;

export interface Claim {
  intents: Intent[];
  /** Why there are fewer intents than were wanted; null when there are as many. */
  shortfall: ClaimShortfall | null;
  /** When another claim may give more (epoch ms); null: only after something else has changed. */
  askAgainAt: number | null;
  /** What is set for the campaign at this time, also where no lead is given; null: the campaign was not read. */
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
