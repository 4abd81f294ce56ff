import type { Database } from 'better-sqlite3';
import { admit, type Pace } from '../../../domain/pace.ts';
import type { CampaignRow } from '../tables/campaigns.ts';

/** The pace of a campaign, as its row keeps it: when the next call is due. */
export function paceStatements(db: Database) {
  const update = db.prepare<[number, string]>('UPDATE campaigns SET pace_due_at = ? WHERE id = ?');

  return {
    /** How many of `want` calls may start now, and when to ask for more (epoch ms; null: there is no pace). */
    admitted: (campaign: CampaignRow, pace: Pace | null, now: number, want: number) => {
      if (pace === null) return { count: want, askAgainAt: null };
      const { admitted, askAgainAt } = admit(pace, campaign.pace_due_at, now, want);
      return { count: admitted, askAgainAt };
    },
    /** Keeps that `count` calls start now; also 0, which shortens the wait where the clock was set back. */
    started: (campaign: CampaignRow, pace: Pace | null, now: number, count: number): void => {
      if (pace === null) return;
      const { nextDueAt } = admit(pace, campaign.pace_due_at, now, count);
      if (nextDueAt !== campaign.pace_due_at) update.run(nextDueAt, campaign.id);
    },
  };
}
