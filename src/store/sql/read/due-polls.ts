import type { RecentEnd } from '../../../domain/polling/poll-scheduler.ts';
import { ALL, TAKEN_OVER_MS, type Share } from '../../../domain/polling/shares.ts';
import type { OpenCall, Store } from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import {
  attemptIdOf,
  ATTEMPTS_WITH_SLOT,
  IS_OPEN_CALL,
  seqOf,
  UNRESOLVED,
} from '../tables/attempt-rows.ts';
import type { Tables } from '../tables/tables.ts';

type Query<Name extends 'duePolls' | 'nextPollAt'> = Required<
  Omit<Parameters<Store[Name]>[0], 'share'>
> &
  Share;

/** Most attempts that are searched for ends, so that the query stays fast among millions. */
const ENDS_READ = 2_000;

/** Finds open calls that are due for a poll, and how the last calls ended. */
export function duePollStatements(sql: Sql, { attempts }: Tables) {
  const ofCampaign = '(@campaignId IS NULL OR campaign_id = @campaignId)';
  const ofShare = 'seq % @of = @index';
  // `+ 0`: see claim/intents.ts.
  const callColumns = `${attemptIdOf('seq')} AS attemptId, campaign_id AS campaignId, call_id AS callId, state, intent_at AS intentAt,
       coalesce(answered_at, intent_at) AS placedAt, holds_until AS holdsUntil, polls, key, phone, agent,
       EXISTS (SELECT 1 FROM contested_calls AS contested
         WHERE contested.service = attempts.service AND contested.call_id = attempts.call_id) AS isContested`;
  const selectDue = sql.rows<[Query<'duePolls'>], DueRow>(
    `SELECT ${callColumns} FROM attempts
     WHERE service = @service AND next_poll_at <= @now AND next_poll_at >= @after AND ${ofCampaign}
       AND (${ofShare} OR next_poll_at <= @now - ${TAKEN_OVER_MS})
     ORDER BY next_poll_at LIMIT @limit + 0`,
    { flags: ['isContested'] },
  );
  const isLate = `state = 'no_result' AND coalesce(begins_at, intent_at) >= @since AND ${ofCampaign}`;
  const selectLate = sql.rows<[LateQuery & { seq: number }], DueRow>(
    `SELECT ${callColumns} FROM attempts INDEXED BY attempts_without_result
     WHERE service = @service AND seq > @seq AND ${isLate}
       AND (@askedBefore IS NULL OR coalesce(asked_again_at, 0) <= @askedBefore)
     ORDER BY seq LIMIT @limit + 0`,
    { flags: ['isContested'] },
  );
  const selectNext = sql.value<[Query<'nextPollAt'>], number>(
    `SELECT next_poll_at FROM attempts
       WHERE service = @service AND next_poll_at > @after AND ${ofCampaign} AND ${ofShare}
       ORDER BY next_poll_at LIMIT 1`,
  );
  const selectMayWait = sql.value<[{ campaignId: string }], number>(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM leads WHERE campaign_id = @campaignId AND state = 'waiting')
       OR EXISTS (SELECT 1 FROM attempts INDEXED BY attempts_to_poll
         JOIN campaigns ON campaigns.id = attempts.campaign_id
         WHERE attempts.campaign_id = @campaignId AND ${IS_OPEN_CALL} AND (settings ->> '$.retry' IS NOT NULL
           OR EXISTS (SELECT 1 FROM lead_numbers WHERE lead_numbers.lead_row = attempts.lead_row)))`,
  );
  const selectServices = sql.values<[{ campaignId: string | null; doubtsSince: number }], string>(
    `SELECT service FROM attempts WHERE ${IS_OPEN_CALL} AND ${ofCampaign}
       UNION SELECT service FROM ${ATTEMPTS_WITH_SLOT}
       WHERE ${UNRESOLVED} AND intent_at >= @doubtsSince AND ${ofCampaign}
`,
  );
  // Reads all calls without a result, so only `collect` asks for it.
  const selectLateServices = sql.values<[{ campaignId: string | null; since: number }], string>(
    `SELECT DISTINCT service FROM attempts INDEXED BY attempts_without_result WHERE ${isLate}`,
  );
  const selectEnds = sql.rows<Parameters<Store['recentEnds']>, EndRow>(
    `SELECT ended_at - coalesce(answered_at, intent_at) AS endedMs, settled_at - ended_at AS analysedMs,
       coalesce(duration_ms, 0) AS talkedMs
     FROM attempts LEFT JOIN analytics ON attempt_seq = seq
     WHERE seq > (SELECT max(seq) FROM attempts) - ${ENDS_READ}
       AND state = 'settled' AND service = @service AND agent = @agent
     ORDER BY seq DESC LIMIT @limit + 0`,
  );

  const withRivals =
    (service: string) =>
    ({ isContested, ...call }: DueRow): OpenCall => ({
      ...call,
      rivals: isContested ? attempts.rivals(service, call.callId, seqOf(call.attemptId)) : [],
    });

  return {
    duePolls: ({ share = ALL, ...query }) =>
      selectDue({ after: 0, ...query, ...share }).map(withRivals(query.service)),
    lateCalls: (query) =>
      selectLate({ ...query, seq: query.after === null ? 0 : seqOf(query.after) }).map(
        withRivals(query.service),
      ),
    nextPollAt: ({ share = ALL, ...query }) => selectNext({ ...query, ...share }) ?? null,
    someMayWaitAgain: (campaignId) => selectMayWait({ campaignId }) !== undefined,
    servicesWithOpenCalls: (campaignId, doubtsSince = Infinity, since = Infinity) => {
      const late = since === Infinity ? [] : selectLateServices({ campaignId, since });
      return [...new Set([...selectServices({ campaignId, doubtsSince }), ...late])].sort();
    },
    recentEnds: (query) => selectEnds(query).toReversed().map(toRecentEnd),
  } satisfies Partial<Methods>;
}

type LateQuery = Parameters<Store['lateCalls']>[0];

type DueRow = Omit<OpenCall, 'rivals'> & { isContested: boolean };

type EndRow = Record<'endedMs' | 'analysedMs' | 'talkedMs', number>;

/** A call ended before its end was noticed, and not before its talk time (unless a clock or the service is wrong). */
function toRecentEnd({ endedMs, analysedMs, talkedMs }: EndRow): RecentEnd {
  const byMs = Math.max(0, endedMs);
  return {
    call: { afterMs: talkedMs < byMs ? talkedMs : 0, byMs },
    analytics: analysedMs > 0 ? { afterMs: 0, byMs: analysedMs } : null,
  };
}
