import type { Firing } from '../../../firings.ts';
import type { Methods } from '../../methods.ts';
import type { Sql } from '../../sql.ts';

/** The table `firings`. */
export function firingTable(sql: Sql) {
  const select = sql.rows<[campaignId: string], Firing>(
    `SELECT at, met, taken_at AS takenAt, taker FROM firings WHERE campaign_id = ? ORDER BY at DESC LIMIT 50`,
    { json: ['taker'] },
  );
  const insert = sql.run(
    `INSERT INTO firings (campaign_id, at, met, taken_at, taker)
     VALUES (@campaignId, @at, @met, @takenAt, @taker) ON CONFLICT DO NOTHING`,
  );
  return {
    reads: { firings: (campaignId) => select(campaignId) } satisfies Partial<Methods>,
    writes: {
      takeFiring: (campaignId, firing) =>
        insert({ ...firing, campaignId, taker: JSON.stringify(firing.taker) }) === 1,
    } satisfies Partial<Methods>,
  };
}
