import type { CallEnd } from '../domain/called-before.ts';
import type { E164 } from '../domain/phone.ts';

/** Who was called before by other campaigns, and with which lists: part of the store port. Times are epoch ms. */

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
