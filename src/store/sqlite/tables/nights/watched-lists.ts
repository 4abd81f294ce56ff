import type { AddressState, WatchedList } from '../../../port.ts';
import type { Methods } from '../../methods.ts';
import type { Sql } from '../../sql.ts';

/** The tables `watched_lists` and `list_addresses`. */
export function watchedListTable(sql: Sql) {
  const select = sql.rows<[campaignId: string], WatchedList>(
    `SELECT sha256, path, state, note, at, taker, moved_at AS movedAt FROM watched_lists
     WHERE campaign_id = ? ORDER BY at, sha256`,
    { json: ['taker'] },
  );
  const insert = sql.run(
    `INSERT INTO watched_lists (campaign_id, sha256, path, state, at, taker)
     VALUES (@campaignId, @sha256, @path, 'taking', @at, @taker) ON CONFLICT DO NOTHING`,
  );
  // Guarded by what was read: of two processes that find the same dead one, one takes its place.
  const replace = sql.run(
    `UPDATE watched_lists SET path = @path, state = 'taking', note = NULL, at = @at, taker = @taker, moved_at = NULL
     WHERE campaign_id = @campaignId AND sha256 = @sha256
       AND state = @state AND state <> 'taken' AND at = @seenAt AND taker = @before`,
  );
  const end = sql.run(
    `UPDATE watched_lists SET state = @state, note = @note, at = @at
     WHERE campaign_id = @campaignId AND sha256 = @sha256 AND state = 'taking' AND taker = @taker`,
  );
  const moved = sql.run<[at: number, campaignId: string, sha256: string]>(
    'UPDATE watched_lists SET moved_at = ? WHERE campaign_id = ? AND sha256 = ?',
  );
  const address = sql.row<[campaignId: string, address: string], AddressState>(
    `SELECT etag, last_modified AS lastModified FROM list_addresses WHERE campaign_id = ? AND address = ?`,
  );
  const keep = sql.run(
    `INSERT INTO list_addresses (campaign_id, address, etag, last_modified, at)
     VALUES (@campaignId, @address, @etag, @lastModified, @at)
     ON CONFLICT DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified, at = excluded.at`,
  );
  return {
    reads: {
      watchedLists: (campaignId) => select(campaignId),
      addressState: (campaignId, of) => address(campaignId, of) ?? null,
    } satisfies Partial<Methods>,
    writes: {
      claimWatched: (campaignId, file, instead) => {
        const row = { ...file, campaignId, taker: JSON.stringify(file.taker) };
        if (instead === null) return insert(row) === 1;
        const before = JSON.stringify(instead.taker);
        return replace({ ...row, state: instead.state, seenAt: instead.at, before }) === 1;
      },
      endWatched: (campaignId, what) =>
        end({ ...what, campaignId, taker: JSON.stringify(what.taker) }) === 1,
      watchedMoved: (campaignId, sha256, at) => {
        moved(at, campaignId, sha256);
      },
      keepAddress: (campaignId, of, state, at) => {
        keep({ campaignId, address: of, ...state, at });
      },
    } satisfies Partial<Methods>,
  };
}
