import type { HowMet } from '../domain/nights/firing.ts';
import type { Owner } from './records.ts';

/** Scheduled times of campaigns that were taken up. Part of the port; times are epoch ms. */

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
