import { LONGEST_WAIT_MS } from '../../../../domain/notices/backoff.ts';
import { DAY_MS } from '../../../../domain/time-units.ts';
import type {
  ClaimedSend,
  FoldedRepeats,
  NewNotice,
  OpenNight,
  UndeliveredNotice,
} from '../../../port.ts';
import type { Methods } from '../../methods.ts';
import type { Sql } from '../../sql.ts';

/** Notices are kept as long as anybody may ask what became of them. */
const KEPT_MS = 90 * DAY_MS;

/** The tables `notices` and `notice_sends`. */
export function noticeTables(sql: Sql) {
  const count = sql.run<[{ id: string; at: number }]>(
    `UPDATE notices SET count = count + (event = 'attention' OR event = 'refusedList'), last_at = max(last_at, @at)
     WHERE id = @id`,
  );
  const insert = sql.run(
    `INSERT INTO notices (id, campaign_id, night, event, reason, at, last_at, body)
     VALUES (@id, @campaignId, @night, @event, @reason, @at, @at, @body)`,
  );
  const selectUntold = sql.rows<[{ target: string; campaignId: string | null }], FoldedRepeats>(
    `SELECT n.event, n.reason, n.night, n.body ->> 'text' AS text, n.count - s.told AS times, n.last_at AS lastAt
     FROM notices n JOIN notice_sends s ON s.notice_seq = n.seq AND s.target = @target
     WHERE n.campaign_id IS @campaignId AND n.count > s.told ORDER BY n.seq`,
  );
  const markTold = sql.run<[{ target: string; campaignId: string | null }]>(
    `UPDATE notice_sends AS s SET told = n.count FROM notices n
     WHERE n.seq = s.notice_seq AND s.target = @target AND n.campaign_id IS @campaignId AND n.count > s.told`,
  );
  const insertSend = sql.run(
    `INSERT INTO notice_sends (notice_seq, target, shown, next_at, folded)
     SELECT seq, @target, @shown, @at, @folded FROM notices WHERE id = @id`,
  );
  const prune = sql.run<[before: number]>(
    `DELETE FROM notices WHERE at < ?
       AND NOT EXISTS (SELECT 1 FROM notice_sends s WHERE s.notice_seq = notices.seq AND s.state = 'waiting')`,
  );

  const selectDue = sql.values<[{ now: number; leaseMs: number }], string>(
    `SELECT DISTINCT target FROM notice_sends WHERE ${IS_DUE}`,
  );

  function addNotice(notice: NewNotice): 'written' | 'folded' {
    const { id, campaignId, at, body, to } = notice;
    if (count({ id, at }) > 0) return 'folded';
    const { night, event, reason } = notice;
    insert({ id, campaignId, night, event, reason, at, body: JSON.stringify(body) });
    for (const { target, shown } of to) {
      const of = { target, campaignId };
      const folded = JSON.stringify(selectUntold(of));
      markTold(of);
      insertSend({ id, target, shown, at, folded });
    }
    prune(at - KEPT_MS);
    return 'written';
  }

  return {
    writes: {
      addNotice,
      ...sendStatements(sql),
    } satisfies Partial<Methods>,
    reads: {
      openNights: sql.rows<[campaignId: string | null], OpenNight>(
        `SELECT s.campaign_id AS campaignId, s.night,
           (SELECT max(f.body ->> '$.tonight.calls') FROM notices f
             WHERE f.campaign_id = s.campaign_id AND f.night = s.night AND f.event = 'finished') AS toldCalls
         FROM notices s WHERE s.event = 'started' AND s.campaign_id = coalesce(?, s.campaign_id)
           AND (NOT EXISTS (SELECT 1 FROM notices f WHERE f.campaign_id = s.campaign_id AND f.night = s.night
               AND f.event = 'finished' AND f.reason <> 'run')
             OR toldCalls < (SELECT calls FROM nights n WHERE n.campaign_id = s.campaign_id AND n.night = s.night))
         ORDER BY s.seq`,
      ),
      nightsSince: sql.rows<[number], { campaignId: string; night: string; beganAt: number }>(
        `SELECT campaign_id AS campaignId, night, began_at AS beganAt FROM nights
         WHERE last_at >= ? AND night <> '' AND calls > 0 ORDER BY began_at`,
      ),
      dueTargets: selectDue,
      undeliveredNotices: (since) =>
        sql.rows<[number], UndeliveredNotice>(
          `${UNDELIVERED} WHERE n.at >= ? AND (s.state = 'given_up' OR (s.state = 'waiting' AND s.why IS NOT NULL))
           ORDER BY s.seq`,
        )(since),
    } satisfies Partial<Methods>,
  };
}

const UNDELIVERED = `SELECT n.id, n.event, c.name AS campaign, s.shown, s.state, n.at, s.tries, s.why, s.next_at AS nextAt
  FROM notice_sends s JOIN notices n ON n.seq = s.notice_seq LEFT JOIN campaigns c ON c.id = n.campaign_id`;
const OF_SEND = 'target = @target AND notice_seq = (SELECT seq FROM notices WHERE id = @id)';

/** A time that is further ahead than any wait or lease can be was written before the clock was set back. */
const IS_DUE = `state = 'waiting' AND (next_at <= @now OR next_at > @now + ${LONGEST_WAIT_MS})
  AND (lease_until IS NULL OR lease_until <= @now OR lease_until > @now + @leaseMs)`;

/** Taking notices to send, and what became of each try. */
function sendStatements(sql: Sql) {
  const claim = sql.values<[Record<string, unknown>], number>(
    `UPDATE notice_sends SET lease_by = @by, lease_until = @now + @leaseMs, tries = tries + 1
     WHERE seq IN (SELECT seq FROM notice_sends WHERE ${IS_DUE}
       AND target IN (SELECT value FROM json_each(@targets)) ORDER BY seq LIMIT @limit) RETURNING seq`,
  );
  const selectClaimed = sql.rows<[seqs: string], ClaimedSend>(
    `SELECT n.id, s.target, s.shown, n.campaign_id AS campaignId, n.at, n.body, s.folded, s.tries
     FROM notice_sends s JOIN notices n ON n.seq = s.notice_seq
     WHERE s.seq IN (SELECT value FROM json_each(?)) ORDER BY s.seq`,
    { json: ['body', 'folded'] },
  );
  const end = sql.run(
    `UPDATE notice_sends SET state = 'sent', ended_at = @at, why = NULL, lease_by = NULL, lease_until = NULL
     WHERE ${OF_SEND}`,
  );
  const fail = sql.run(
    `UPDATE notice_sends SET state = iif(@nextAt IS NULL, 'given_up', 'waiting'), next_at = coalesce(@nextAt, next_at),
       why = @why, ended_at = @at, lease_by = NULL, lease_until = NULL
     WHERE ${OF_SEND} AND state = 'waiting' AND lease_by = @by`,
  );
  const strangers = `WHERE s.state = 'waiting' AND n.at < @before
    AND s.target NOT IN (SELECT value FROM json_each(@known))`;
  const selectStrangers = sql.rows<[Record<string, unknown>], UndeliveredNotice>(
    `${UNDELIVERED} ${strangers} ORDER BY s.seq`,
  );
  const expire = sql.run(
    `UPDATE notice_sends SET state = 'given_up', why = @why, lease_by = NULL, lease_until = NULL
     WHERE seq IN (SELECT s.seq FROM notice_sends s JOIN notices n ON n.seq = s.notice_seq ${strangers})`,
  );
  return {
    claimNotices: ({ targets, ...query }) =>
      selectClaimed(JSON.stringify(claim({ ...query, targets: JSON.stringify(targets) }))),
    noticeSent: (send, at) => {
      end({ ...send, at });
    },
    noticeFailed: (send, { at, why, nextAt }) => {
      fail({ ...send, at, why, nextAt });
    },
    expireNotices: (known, before, why) => {
      const which = { known: JSON.stringify(known), before };
      const found = selectStrangers(which);
      if (found.length > 0) expire({ ...which, why });
      return found.map((each) => ({ ...each, state: 'given_up', why }));
    },
  } satisfies Partial<Methods>;
}
