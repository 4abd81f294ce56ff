import type { Limit } from '../domain/nights/budget.ts';
import type { Night } from '../domain/nights/night.ts';
import type { Spent } from '../domain/nights/spent.ts';

/** What the store keeps of nights, budgets and shares. Part of the port; times are epoch ms. */

/** One night of a campaign; attempts whose dial has no answer yet are not counted. */
export interface NightRow extends Spent {
  /** `2026-01-05`; `''`: all calls from before nights were kept. */
  night: string;
  /** When its first and its last call began. */
  beganAt: number;
  lastAt: number;
  /** The key of the budget that ended its dialling: `stop.calls`; null: none did. */
  endedBy: string | null;
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
  /** What allows no more than these; null: nothing does. */
  limit: Limit | null;
}

/** What a campaign has of a service's slots, among those that hold some or were short of them lately. */
export interface SlotShare {
  /** The campaign's name. */
  campaign: string;
  /** Slots that its calls hold. */
  held: number;
  /** Slots more that it could use; 0: it has as many as it needs. */
  wants: number;
  weight: number;
  /** Its weight's part of all of theirs, 0 to 1. */
  share: number;
}

export interface NightStore {
  /** What the campaign's `stop` allows now, by the functions of the claim; null: it has none. */
  budget(campaignId: string, now: number): Promise<BudgetNow | null>;
  /** The nights of a campaign, the first one first. */
  nights(campaignId: string): Promise<NightRow[]>;
  /** Who holds the slots of a service, or was short of them within the last two seconds, by name. */
  slotShares(service: string, now: number): Promise<SlotShare[]>;
}
