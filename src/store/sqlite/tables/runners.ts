import type { Database } from 'better-sqlite3';
import type { Owner, Runner } from '../../port.ts';

/** The table `runners`: processes that say that they work on a campaign. */
export function runnerTable(db: Database) {
  const upsert = db.prepare(
    `INSERT INTO runners (campaign_id, host, boot, pid, since, seen_at, dials)
     VALUES (@campaignId, @host, @boot, @pid, @at, @at, @dials)
     ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at, dials = excluded.dials`,
  );
  const remove = db.prepare(
    'DELETE FROM runners WHERE campaign_id = @campaignId AND host = @host AND boot = @boot AND pid = @pid',
  );
  const select = db.prepare<[string], Omit<Runner, 'dials'> & { dials: 0 | 1 }>(
    'SELECT host, boot, pid, since, seen_at AS seenAt, dials FROM runners WHERE campaign_id = ? ORDER BY since',
  );
  return {
    seen: (campaignId: string, { host, boot, pid }: Owner, at: number, dials = true): void => {
      upsert.run({ campaignId, host, boot, pid, at, dials: dials ? 1 : 0 });
    },
    left: (campaignId: string, { host, boot, pid }: Owner): void => {
      remove.run({ campaignId, host, boot, pid });
    },
    of: (campaignId: string): Runner[] =>
      select.all(campaignId).map((row) => ({ ...row, dials: row.dials === 1 })),
  };
}
