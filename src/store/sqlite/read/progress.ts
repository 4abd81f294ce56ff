import { LEAD_RESULTS } from '../../../domain/lead.ts';
import type { HeldSlot, Owner, Progress } from '../../port.ts';
import type { Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';
import {
  ATTEMPTS_WITH_SLOT,
  HAS_SLOT,
  HOLDS_SLOT,
  IS_OPEN_CALL,
  UNRESOLVED,
} from '../tables/attempt-conditions.ts';
import { attemptIdOf } from '../tables/attempt-rows.ts';

/** Counts leads and attempts by state, and lists who holds the slots; each answer shows one moment. */
export function progressStatements(sql: Sql, { nextDueAt }: NextDue) {
  // Counted in one pass: grouping sorts first, which for a million leads takes longer and 16 MB more memory.
  const results = LEAD_RESULTS.map((result) => `count(*) FILTER (WHERE result = '${result}')`);
  const countLeads = sql.tuples<[campaignId: string], number[]>(
    `SELECT count(*), total(spent), count(*) FILTER (WHERE state = 'waiting'),
         count(*) FILTER (WHERE state = 'calling'), ${results.join(', ')}
       FROM leads WHERE campaign_id = ?`,
  );
  const countSlots = `SELECT count(*) FROM ${ATTEMPTS_WITH_SLOT} WHERE campaign_id = @campaignId`;
  const countAttempts = sql.row<[{ campaignId: string; now: number }], AttemptCount>(
    `SELECT
       (${countSlots} AND ${HOLDS_SLOT}) AS held,
       (SELECT count(*) FROM attempts INDEXED BY attempts_to_look_at
          WHERE campaign_id = @campaignId AND ${IS_OPEN_CALL}) AS open,
       (${countSlots} AND state = 'unknown' AND ${HAS_SLOT}) AS unknown,
       (${countSlots} AND ${UNRESOLVED}) AS doubts`,
  );
  const selectHeld = sql.rows<[{ campaignId: string; now: number }], HeldSlotRow>(
    `SELECT ${HELD_SLOT_COLUMNS} FROM ${ATTEMPTS_WITH_SLOT} JOIN leads ON leads.row = attempts.lead_row
     WHERE attempts.campaign_id = @campaignId AND ${HOLDS_SLOT} ORDER BY attempts.seq`,
  );

  const progress = sql.db.transaction((campaignId: string, now: number): Progress => {
    const [row = []] = countLeads(campaignId);
    const [total = 0, dials = 0, waiting = 0, calling = 0, ...byResult] = row;
    const counted = LEAD_RESULTS.map((result, at) => [result, byResult[at] ?? 0] as const);
    return {
      total,
      waiting,
      calling,
      done: total - waiting - calling,
      results: Object.fromEntries(counted.filter(([, count]) => count > 0)),
      dials,
      ...(countAttempts({ campaignId, now }) as AttemptCount),
      nextDueAt: waiting === 0 ? null : nextDueAt(campaignId, now),
    };
  });

  return {
    progress,
    heldSlots: (campaignId, now) => selectHeld({ campaignId, now }).map(toHeldSlot),
  } satisfies Partial<Methods>;
}

type AttemptCount = Pick<Progress, 'held' | 'open' | 'unknown' | 'doubts'>;

/** See `nextCallStatements`. */
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
