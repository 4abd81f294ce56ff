import type { PastAttempt } from '../../../domain/calling/retry-hold.ts';
import type { WaitingPerson } from '../../../domain/forecast/people.ts';
import type { SeenCall } from '../../../domain/forecast/seen-calls.ts';
import type { SeenQuery } from '../../nights.ts';
import type { Methods, Sql } from '../sql.ts';
import { COUNTS, MAY_HAVE_RUNG } from '../tables/attempt-rows.ts';

/** Most attempts that are searched, so that the query stays fast among millions. */
const SEARCHED = 200_000;

export function forecastStatements(sql: Sql) {
  const selectWaiting = sql.rows<[{ campaignId: string; every: number }], WaitingRow>(
    `SELECT zone_key AS zoneKey, not_before AS notBefore, callback_at AS callbackAt,
       iif(spent = 0, '[]', (SELECT json_group_array(json_object('at', max(intent_at, coalesce(begins_at, 0)),
         'result', result, 'endedAt', ended_at)) FROM attempts
         WHERE lead_row = leads.row AND ${MAY_HAVE_RUNG})) AS past
     FROM leads WHERE campaign_id = @campaignId AND state = 'waiting' AND row % @every = 0 ORDER BY position`,
    { json: ['past'] },
  );
  const earlier = `(SELECT earlier.result FROM attempts AS earlier WHERE earlier.lead_row = this.lead_row
    AND earlier.ordinal = this.ordinal - 1 AND earlier.${COUNTS})`;
  const later = `(SELECT later.intent_at FROM attempts AS later WHERE later.lead_row = this.lead_row
    AND later.ordinal = this.ordinal + 1 AND later.${COUNTS})`;
  const selectSeen = sql.rows<[SeenQuery], SeenRow>(
    `SELECT this.result, this.result_source AS source, this.ended_at AS endedAt,
       this.ended_at - max(this.intent_at, coalesce(this.begins_at, 0)) AS slotMs,
       this.settled_at - this.ended_at AS analysedMs, duration_ms AS talkMs, cost, cost_currency AS currency,
       iif(this.result <> 'answered', NULL, coalesce(${later}, iif(leads.state = 'waiting', callback_at, NULL)))
         AS calledAgainAt, ${earlier} AS before
     FROM attempts AS this JOIN leads ON leads.row = this.lead_row LEFT JOIN analytics ON attempt_seq = seq
     WHERE seq > (SELECT max(seq) FROM attempts) - ${SEARCHED} AND this.state = 'settled'
       AND this.service = @service AND (@agent IS NULL OR agent = @agent)
       AND (@campaignId IS NULL OR this.campaign_id = @campaignId)
     ORDER BY seq DESC LIMIT @limit + 0`,
  );

  return {
    waitingPeople: (campaignId, every) => selectWaiting({ campaignId, every }),
    seenCalls: (query) => selectSeen(query).map(toSeenCall),
  } satisfies Partial<Methods>;
}

type WaitingRow = Omit<WaitingPerson, 'past'> & { past: PastAttempt[] };

interface SeenRow extends Omit<SeenCall, 'cost' | 'callbackMs'> {
  endedAt: number;
  cost: string | null;
  calledAgainAt: number | null;
}

/** Max 0: the clock may have been set back during a call. */
function toSeenCall({ endedAt, calledAgainAt, cost, ...call }: SeenRow): SeenCall {
  return {
    ...call,
    slotMs: Math.max(0, call.slotMs),
    analysedMs: Math.max(0, call.analysedMs),
    cost: cost === null ? null : Number(cost),
    callbackMs: calledAgainAt === null ? null : Math.max(0, calledAgainAt - endedAt),
  };
}
