import type { Database } from 'better-sqlite3';
import { calledBeforeReason } from '../../../domain/called-before.ts';
import type { CampaignSettings } from '../../../domain/campaign.ts';
import type { E164 } from '../../../domain/phone.ts';
import { earlierCallOf } from '../claim/earlier-calls.ts';
import type { CampaignRow } from './campaigns.ts';
import type { LeadTable } from './leads.ts';
import { reasonOf, type SuppressionTable } from './suppression.ts';

/** Leads that are due and end all the same: their numbers are suppressed, or another campaign has called them. */
export function leadEndings(
  db: Database,
  { leads, suppression }: { leads: LeadTable; suppression: SuppressionTable },
) {
  const findEarlierCall = earlierCallOf(db);

  return {
    /** @returns ends a lead that must not be called, and says whether it did */
    of: (campaign: CampaignRow, { skipCalled }: CampaignSettings, now: number) => {
      const entryOf = suppression.at(now);
      return (row: number, phone: E164): boolean => {
        const entry = entryOf(phone);
        if (entry !== undefined) {
          leads.markDone(row, 'suppressed', 'callsheet', reasonOf(entry));
          return true;
        }
        if (skipCalled === undefined) return false;
        const call = findEarlierCall(campaign, phone, skipCalled, now);
        if (call === undefined) return false;
        leads.markDone(row, 'cancelled', 'callsheet', calledBeforeReason(call));
        return true;
      };
    },
  };
}
