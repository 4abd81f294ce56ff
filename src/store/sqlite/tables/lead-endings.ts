import type { Database } from 'better-sqlite3';
import { calledBeforeReason } from '../../../domain/called-before.ts';
import type { CampaignSettings } from '../../../domain/campaign.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { CampaignRow } from './campaigns.ts';
import { earlierCallOf } from '../claim/earlier-calls.ts';
import type { LeadTable } from './leads.ts';
import { reasonOf, type SuppressionTable } from './suppression.ts';

/** Leads that are due and end all the same: their numbers are suppressed, or another campaign has called them. */
export function leadEndings(
  db: Database,
  { leads, suppression }: { leads: LeadTable; suppression: SuppressionTable },
) {
  const findEarlierCall = earlierCallOf(db);

  function endIfSuppressed(row: number, phone: E164, now: number): boolean {
    const held = suppression.find(phone, now);
    if (held === undefined) return false;
    leads.markDone(row, 'suppressed', 'callsheet', reasonOf(held));
    return true;
  }

  return {
    /** Ends a lead that must not be called, and says so; undefined where nothing can speak against anybody. */
    of(
      campaign: CampaignRow,
      { skipCalled }: CampaignSettings,
      now: number,
    ): ((row: number, phone: E164) => boolean) | undefined {
      const mayBeHeld = !suppression.isEmpty();
      if (!mayBeHeld && skipCalled === undefined) return undefined;
      return (row, phone) => {
        if (mayBeHeld && endIfSuppressed(row, phone, now)) return true;
        if (skipCalled === undefined) return false;
        const call = findEarlierCall(campaign, phone, skipCalled, now);
        if (call === undefined) return false;
        leads.markDone(row, 'cancelled', 'callsheet', calledBeforeReason(call));
        return true;
      };
    },
  };
}
