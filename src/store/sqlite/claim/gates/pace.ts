import { admit } from '../../../../domain/pace.ts';
import type { Sql } from '../../sql.ts';
import type { CampaignRow } from '../../tables/campaigns.ts';

/** Reads and writes the pace of a campaign: its row has the time at which the next call is due. */
export function paceStatements(sql: Sql) {
  const update = sql.run<[dueAt: number, id: string]>(
    'UPDATE campaigns SET pace_due_at = ? WHERE id = ?',
  );

  return {
    /** How many of `want` calls may start now, and when to ask for more (epoch ms; null: there is no pace). */
    admitted: ({ settings: { pace }, paceDueAt }: CampaignRow, now: number, want: number) => {
      if (pace === null) return { count: want, askAgainAt: null };
      const { admitted, askAgainAt } = admit(pace, paceDueAt, now, want);
      return { count: admitted, askAgainAt };
    },
    /** Records that `count` calls start now; recording 0 shortens the wait after the clock was set back. */
    started: ({ id, settings, paceDueAt }: CampaignRow, now: number, count: number): void => {
      if (settings.pace === null) return;
      const { nextDueAt } = admit(settings.pace, paceDueAt, now, count);
      if (nextDueAt !== paceDueAt) update(nextDueAt, id);
    },
  };
}
