import { LEASE_MS, LONGEST_WAIT_MS } from '../../../../domain/notices.ts';
import { DAY_MS } from '../../../../domain/time-units.ts';
import type {
  AddressState,
  NewMessage,
  OpenNight,
  OutboxMessage,
  UndeliveredMessage,
  WatchedList,
} from '../../../port.ts';
import type { Methods, Sql } from '../../sql.ts';

/** How long messages are kept. */
const KEPT_MS = 90 * DAY_MS;

/** A time further ahead than any wait was written before the clock was set back. */
const IS_LATER = `due > @now AND due <= @now + ${LONGEST_WAIT_MS}`;
const IS_UNDER_WAY = `done IS NULL AND tries > 0 AND why IS NULL AND ${IS_LATER}`;

/** The calls that the newest notice of a night's end has told; `s` is its row of the beginning. */
const TOLD_CALLS = `(SELECT max(CAST(f.body ->> '$.tonight.calls' AS BIGINT)) FROM outbox f
  WHERE f.campaign_id = s.campaign_id AND f.night = s.night AND f.event = 'finished')`;

export function outboxTable(sql: Sql) {
  const insert = sql.run(
    `INSERT INTO outbox (id, target, shown, campaign_id, night, event, at, body, due, done)
     VALUES (@id, @target, @shown, @campaignId, @night, @event, @at, coalesce((SELECT min(body) FROM outbox WHERE id = @id), @body), @at, @done)
     ON CONFLICT (id, target) DO NOTHING`,
  );
  const prune = sql.run<[before: number]>('DELETE FROM outbox WHERE done < ?');
  const take = sql.run(
    `UPDATE outbox SET tries = tries + 1, why = NULL, due = @now + ${LEASE_MS}
     WHERE id = @id AND target = @target AND tries = @tries AND done IS NULL`,
  );
  const tried = sql.run(
    `UPDATE outbox SET why = @why, tries = CASE WHEN @why IS NULL AND @due IS NOT NULL THEN tries - 1 ELSE tries END, due = coalesce(@due, due), done = CASE WHEN @due IS NULL THEN @at END
     WHERE id = @id AND target = @target AND done IS NULL AND (tries = @tries OR (@why IS NULL AND @due IS NULL))`,
  );
  const due = sql.rows<[{ now: number }], OutboxMessage>(
    `SELECT id, target, shown, at, body, tries FROM outbox WHERE seq IN (SELECT min(seq) FROM outbox
       WHERE done IS NULL AND NOT (${IS_LATER}) AND target NOT IN (SELECT target FROM outbox WHERE ${IS_UNDER_WAY}) GROUP BY target) ORDER BY seq`,
    { json: ['body'] },
  );
  return {
    writes: {
      outboxPut: ({ campaignId, at, body, to }: NewMessage) => {
        const { id, night, event } = body;
        const message = { id, campaignId, night, event, at, body: JSON.stringify(body) };
        for (const receiver of to) insert({ ...message, ...receiver, done: null });
        if (to.length === 0) insert({ ...message, target: '', shown: '', done: at });
        prune(at - KEPT_MS);
      },
      outboxTake: ({ body, ...message }, now) =>
        take({ ...message, now }) === 0 ? null : { ...message, body, tries: message.tries + 1 },
      outboxTried: ({ id, target, tries }, end) => {
        tried({ id, target, tries, ...end });
      },
    } satisfies Partial<Methods>,
    reads: {
      outboxDue: (now) => due({ now }),
      undelivered: sql.rows<[since: number], UndeliveredMessage>(
        `SELECT id, shown, at, body, tries, why, done IS NOT NULL AS givenUp FROM outbox
         WHERE at >= ? AND (why IS NOT NULL OR (done IS NULL AND tries > 1)) ORDER BY seq`,
        { json: ['body'], flags: ['givenUp'] },
      ),
      openNights: sql.rows<[campaignId: string | null], OpenNight>(
        `SELECT s.campaign_id AS campaignId, s.night, ${TOLD_CALLS} AS toldCalls
         FROM outbox s WHERE s.event = 'started' AND s.campaign_id = coalesce(?, s.campaign_id)
           AND (NOT EXISTS (SELECT 1 FROM outbox f WHERE f.campaign_id = s.campaign_id AND f.night = s.night
               AND f.event = 'finished' AND f.body ->> '$.reason' <> 'run')
             OR ${TOLD_CALLS} < (SELECT calls FROM nights n WHERE n.campaign_id = s.campaign_id AND n.night = s.night))
         GROUP BY s.campaign_id, s.night ORDER BY min(s.seq)`,
      ),
      nightsSince: sql.rows<[number], { campaignId: string; night: string; beganAt: number }>(
        `SELECT campaign_id AS campaignId, night, began_at AS beganAt FROM nights
         WHERE last_at >= ? AND night <> '' AND calls > 0 ORDER BY began_at`,
      ),
    } satisfies Partial<Methods>,
  };
}

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
  // Guarded by the row as it was read: of two processes that find the same dead one, only one replaces it.
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
     ON CONFLICT (campaign_id, address) DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified, at = excluded.at`,
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
