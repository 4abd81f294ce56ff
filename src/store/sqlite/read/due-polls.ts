import type { Database } from 'better-sqlite3';
import type { OpenCall, Store } from '../../port.ts';
import { ATTEMPTS_WITH_SLOT, IS_OPEN_CALL, UNRESOLVED } from '../tables/attempt-conditions.ts';
import { attemptId } from '../tables/attempt-rows.ts';
import type { ContestedCallTable } from '../tables/contested-calls.ts';

type DueQuery = Parameters<Store['duePolls']>[0];
type NextQuery = Parameters<Store['nextPollAt']>[0];

/** Which open calls are to be polled, and at which services there are any. */
export function duePollStatements(db: Database, contested: ContestedCallTable) {
  const ofCampaign = '(@campaignId IS NULL OR campaign_id = @campaignId)';
  // `+ 0`: see claim/intents.ts.
  const selectDue = db.prepare<[Required<DueQuery>], DueRow>(
    `SELECT seq, campaign_id AS campaignId, call_id AS callId, state, intent_at AS intentAt,
       coalesce(answered_at, intent_at) AS placedAt, holds_until AS holdsUntil, looks AS polls, key, phone, agent,
       EXISTS (SELECT 1 FROM contested_calls AS contested
         WHERE contested.service = attempts.service AND contested.call_id = attempts.call_id) AS isContested
     FROM attempts
     WHERE service = @service AND next_look_at <= @now AND next_look_at >= @after AND ${ofCampaign}
     ORDER BY next_look_at LIMIT @limit + 0`,
  );
  const selectNext = db
    .prepare<[NextQuery], number>(
      `SELECT next_look_at FROM attempts
       WHERE service = @service AND next_look_at > @after AND ${ofCampaign}
       ORDER BY next_look_at LIMIT 1`,
    )
    .pluck();
  const selectServices = db
    .prepare<{ campaignId: string | null; doubtsSince: number }, string>(
      `SELECT service FROM attempts WHERE ${IS_OPEN_CALL} AND ${ofCampaign}
       UNION SELECT service FROM ${ATTEMPTS_WITH_SLOT}
       WHERE ${UNRESOLVED} AND intent_at >= @doubtsSince AND ${ofCampaign} ORDER BY service`,
    )
    .pluck();

  return {
    duePolls: (query: DueQuery): OpenCall[] =>
      selectDue.all({ after: 0, ...query }).map(({ seq, isContested, ...call }) => ({
        ...call,
        attemptId: attemptId(seq),
        rivals: isContested === 1 ? contested.rivals(query.service, call.callId, seq) : [],
      })),
    nextPollAt: (query: NextQuery): number | null => selectNext.get(query) ?? null,
    servicesWithOpenCalls: (campaignId: string | null, doubtsSince = Infinity): string[] =>
      selectServices.all({ campaignId, doubtsSince }),
  };
}

interface DueRow extends Omit<OpenCall, 'attemptId' | 'rivals'> {
  seq: number;
  isContested: 0 | 1;
}
