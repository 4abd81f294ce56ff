import { LEAD_RESULTS } from '../../../domain/lead.ts';
import type { HeldSlot, Owner, Progress } from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import {
  attemptIdOf,
  ATTEMPTS_WITH_SLOT,
  HAS_SLOT,
  HOLDS_SLOT,
  IN_DOUBT,
  IS_OPEN_CALL,
  UNRESOLVED,
} from '../tables/attempt-rows.ts';

/** Counts leads and attempts by state, and lists the held slots; each answer shows one moment. */
export function progressStatements(sql: Sql, { nextDueAt }: NextDue) {
  const countLeads = sql.rows<[campaignId: string], { standing: string; people: number }>(
    `SELECT standing, sum(leads) AS people FROM lead_counts WHERE campaign_id = ?
       GROUP BY standing HAVING people > 0`,
  );
  const countSlots = `SELECT count(*) FROM ${ATTEMPTS_WITH_SLOT} WHERE campaign_id = @campaignId`;
  const nightSum = (column: string) =>
    `(SELECT coalesce(sum(${column}), 0) FROM nights WHERE campaign_id = @campaignId)`;
  const countAttempts = sql.row<[{ campaignId: string; now: number }], AttemptCount>(
    `SELECT
       ${nightSum('calls')} AS calls, ${nightSum('refused')} AS refused, ${nightSum('not_made')} AS notMade,
       (${countSlots} AND ${IN_DOUBT} AND resolution IS NOT 'not_placed') AS inDoubt,
       (${countSlots} AND ${HOLDS_SLOT}) AS held,
       (SELECT count(*) FROM attempts INDEXED BY attempts_to_poll
          WHERE campaign_id = @campaignId AND ${IS_OPEN_CALL}) AS open,
       (${countSlots} AND state = 'unknown' AND ${HAS_SLOT}) AS unknown,
       (${countSlots} AND ${UNRESOLVED}) AS doubts`,
  );
  const selectHeld = sql.rows<[{ campaignId: string; now: number }], HeldSlotRow>(
    `SELECT ${HELD_SLOT_COLUMNS} FROM ${ATTEMPTS_WITH_SLOT} JOIN leads ON leads.row = attempts.lead_row
     WHERE attempts.campaign_id = @campaignId AND ${HOLDS_SLOT} ORDER BY attempts.seq`,
  );

  const progress = sql.db.transaction((campaignId: string, now: number): Progress => {
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

type AttemptCount = Pick<Progress, 'held' | 'open' | 'unknown' | 'doubts'> &
  Record<'calls' | 'refused' | 'inDoubt' | 'notMade', number>;

interface NextDue {
  nextDueAt: (campaignId: string, now: number) => number | null;
}

/** The columns of `attempts` and `leads` that `toHeldSlot` needs. */
export const HELD_SLOT_COLUMNS = `${attemptIdOf('attempts.seq')} AS attemptId, attempts.key, attempts.state,
  attempts.phone, leads.line, attempts.call_id AS callId, attempts.intent_at AS intentAt,
  attempts.holds_until AS holdsUntil, attempts.detail, owner_host AS host, owner_boot AS boot, owner_pid AS pid`;

export type HeldSlotRow = Omit<HeldSlot, 'owner'> & Owner;

/** Picks the fields of a held slot from a row, which may have other columns as well. */
export function toHeldSlot(row: HeldSlotRow): HeldSlot {
  const { attemptId, key, state, phone, line, callId, intentAt, holdsUntil, detail } = row;
  const { host, boot, pid } = row;
  const owner = { host, boot, pid };
  return { attemptId, key, state, phone, line, callId, intentAt, holdsUntil, detail, owner };
}
