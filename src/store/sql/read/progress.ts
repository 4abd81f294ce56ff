import type { PastAttempt } from '../../../domain/calling/retry-hold.ts';
import type { SeenCall, WaitingPerson } from '../../../domain/forecast/game.ts';
import { LEAD_RESULTS } from '../../../domain/lead.ts';
import type { SeenQuery } from '../../nights.ts';
import type { HeldSlot, Owner, Progress } from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import {
  attemptIdOf,
  ATTEMPTS_WITH_SLOT,
  COUNTS,
  HAS_SLOT,
  HOLDS_SLOT,
  IN_DOUBT,
  IS_BEFORE_RETRY,
  IS_OPEN_CALL,
  MAY_HAVE_RUNG,
  UNRESOLVED,
} from '../tables/attempt-rows.ts';

/** Counts leads and attempts by state, and lists the held slots; each answer shows one moment. */
export function progressStatements(sql: Sql, { nextDueAt }: NextDue) {
  const countLeads = sql.rows<[campaignId: string], { standing: string; people: number }>(
    `SELECT standing, sum(leads) AS people FROM lead_counts WHERE campaign_id = ?
       GROUP BY standing HAVING sum(leads) > 0`,
  );
  const countSlots = `SELECT count(*) FROM ${ATTEMPTS_WITH_SLOT} WHERE campaign_id = @campaignId`;
  const nightSum = (column: string) =>
    `(SELECT coalesce(sum(${column}), 0) FROM nights WHERE campaign_id = @campaignId)`;
  const countAttempts = sql.row<[{ campaignId: string; now: number }], AttemptCount>(
    `SELECT
       (SELECT max(last_at) FROM nights WHERE campaign_id = @campaignId) AS lastCallAt,
       ${nightSum('calls')} AS calls, ${nightSum('refused')} AS refused, ${nightSum('not_made')} AS notMade,
       ${nightSum('answered')} AS answered,
       (${countSlots} AND ${IN_DOUBT} AND resolution IS DISTINCT FROM 'not_placed') AS inDoubt,
       (${countSlots} AND ${HOLDS_SLOT}) AS held,
       (SELECT count(*) FROM attempts INDEXED BY attempts_to_poll
          WHERE campaign_id = @campaignId AND ${IS_OPEN_CALL}) AS open,
       (${countSlots} AND state = 'unknown' AND ${HAS_SLOT}) AS unknown,
       (${countSlots} AND ${UNRESOLVED}) AS doubts`,
  );
  const selectHeld = sql.rows<[{ campaignId: string; now: number }], HeldSlotRow>(
    `SELECT ${HELD_SLOT_COLUMNS} FROM ${ATTEMPTS_WITH_SLOT} JOIN leads ON leads.row = attempts.lead_row
       JOIN lists ON lists.id = list_id WHERE attempts.campaign_id = @campaignId AND ${HOLDS_SLOT} ORDER BY attempts.seq`,
  );

  const progress = sql.atOneMoment((campaignId: string, now: number): Progress => {
    const byStanding = new Map(countLeads(campaignId).map((row) => [row.standing, row.people]));
    const waiting = byStanding.get('waiting') ?? 0;
    const calling = byStanding.get('calling') ?? 0;
    const results = LEAD_RESULTS.flatMap((result) => {
      const people = byStanding.get(result);
      return people === undefined ? [] : [[result, people] as const];
    });
    const total = [...byStanding.values()].reduce((sum, people) => sum + people, 0);
    const { calls, refused, inDoubt, notMade, ...counts } = countAttempts({
      campaignId,
      now,
    }) as AttemptCount;
    return {
      total,
      waiting,
      calling,
      done: total - waiting - calling,
      results: Object.fromEntries(results),
      ...counts,
      dials: { made: calls - inDoubt, refused, inDoubt, notMade },
      nextDueAt: waiting === 0 ? null : nextDueAt(campaignId, now),
    };
  });

  return {
    progress,
    heldSlots: (campaignId, now) => selectHeld({ campaignId, now }).map(toHeldSlot),
  } satisfies Partial<Methods>;
}

type AttemptCount = Pick<
  Progress,
  'held' | 'open' | 'unknown' | 'doubts' | 'answered' | 'lastCallAt'
> &
  Record<'calls' | 'refused' | 'inDoubt' | 'notMade', number>;

interface NextDue {
  nextDueAt: (campaignId: string, now: number) => number | null;
}

/** The columns of `attempts`, `leads` and `lists` that `toHeldSlot` needs. */
export const HELD_SLOT_COLUMNS = `${attemptIdOf('attempts.seq')} AS attemptId, attempts.key, attempts.state,
  attempts.phone, lists.number AS list, leads.line, leads.cells, lists.mapping, attempts.call_id AS callId, attempts.intent_at AS intentAt,
  attempts.holds_until AS holdsUntil, attempts.detail, owner_host AS host, owner_boot AS boot, owner_pid AS pid`;

export type HeldSlotRow = Omit<HeldSlot, 'owner' | 'cells' | 'mapping'> &
  Owner & { cells: string; mapping: string | null };

/** Picks the fields of a held slot from a row, which may have other columns as well. */
export function toHeldSlot(row: HeldSlotRow): HeldSlot {
  const { attemptId, key, state, phone, list, line, callId, intentAt, holdsUntil, detail } = row;
  const { host, boot, pid } = row;
  const owner = { host, boot, pid };
  const cells = JSON.parse(row.cells) as string[];
  const mapping = JSON.parse(row.mapping ?? 'null') as HeldSlot['mapping'];
  const call = { attemptId, key, state, phone, list, line, callId, intentAt, holdsUntil, detail };
  return { ...call, cells, mapping, owner };
}

/** Most attempts that are searched, so that the query stays fast among millions. */
const SEARCHED = 200_000;

export function forecastStatements(sql: Sql) {
  const selectWaiting = sql.rows<[{ campaignId: string; every: number }], WaitingRow>(
    `SELECT zone_key AS zoneKey, not_before AS notBefore, callback_at AS callbackAt,
       CASE WHEN spent = 0 THEN '[]' ELSE (SELECT json_group_array(json_object('at', max(intent_at, coalesce(begins_at, 0)),
         'result', result, 'endedAt', ended_at, 'isBeforeRetry', json(CASE WHEN ${IS_BEFORE_RETRY} THEN 'true' ELSE 'false' END))) FROM attempts
         WHERE lead_row = leads.row AND ${MAY_HAVE_RUNG}) END AS past
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
       CASE WHEN this.result <> 'answered' THEN NULL ELSE coalesce(${later}, CASE WHEN leads.state = 'waiting' THEN callback_at END) END
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
