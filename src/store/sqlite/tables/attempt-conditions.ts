import { BEST_FIRST } from '../../../domain/calling/standing.ts';
import { DAY_MS } from '../../../domain/time-units.ts';
import type { Sql } from '../sql.ts';

/** Conditions on rows of `attempts` that several statements share, with the index that answers them. */

/**
 * Reads attempts that hold a slot or are in doubt through their index, which has few rows at any time. The statement
 * must also have a condition that implies that `slot_until` is set.
 */
export const ATTEMPTS_WITH_SLOT = 'attempts INDEXED BY attempts_holding';

/** The attempt may hold a slot: its state is intent, placed, unknown or unconfirmed. */
export const HAS_SLOT = 'attempts.slot_until IS NOT NULL';

/** The attempt holds a slot at the parameter `now`: a call is, or may be, in progress. */
export const HOLDS_SLOT = 'attempts.slot_until > @now';

/** It is not known whether the call was made. */
export const IN_DOUBT = `attempts.state IN ('unknown', 'unconfirmed') AND ${HAS_SLOT}`;

/** In doubt, and no person has resolved it. */
export const UNRESOLVED = `${IN_DOUBT} AND attempts.resolution IS NULL`;

/** The service has taken the call, and its analytics are still to come. */
export const IS_OPEN_CALL = 'attempts.next_look_at IS NOT NULL';

/** The attempt counts for its lead, as it was not released; `state` is a column of the innermost table. */
export const COUNTS = "state <> 'released'";

/**
 * The phone rang or may have rung. This excludes attempts that were released, that the service refused or never rang,
 * and that a person has resolved as not placed.
 */
export const MAY_HAVE_RUNG = `attempts.state <> 'released' AND attempts.state <> 'rejected'
  AND attempts.result IS NOT 'invalid_number'
  AND (attempts.state <> 'unconfirmed' OR attempts.resolution IS NOT 'not_placed')`;

/** Something may still turn out about a call of the row of `leads`, so that they wait again. */
export const MAY_TURN_OUT = `EXISTS (SELECT 1 FROM attempts
  WHERE lead_row = leads.row AND attempts.state IN ('unconfirmed', 'no_result', 'rejected'))`;

/** The attempt has an end that may become its lead's result; one that a person resolved as not placed has none. */
export const HAS_END = `(attempts.state = 'settled' OR attempts.state = 'rejected' OR attempts.state = 'no_result'
  OR attempts.state = 'unconfirmed' AND attempts.resolution IS NOT 'not_placed')`;

/**
 * The place of an attempt in `BEST_FIRST`, in a table or under an alias. Attempts that are still open come before all
 * others, those that a person resolved as not placed come last.
 */
export function bestRank(table: string): string {
  const ranks = BEST_FIRST.map((result, i) => `WHEN '${result}' THEN ${i}`).join(' ');
  return `CASE WHEN ${table}.state = 'unconfirmed' AND ${table}.resolution = 'not_placed' THEN ${BEST_FIRST.length}
    ELSE CASE coalesce(${table}.result, ${table}.state) ${ranks} ELSE -1 END END`;
}

/** The length of a `dial_period` of `attempts`, ms. */
export const DIAL_PERIOD_MS = 28 * DAY_MS;

/** The newest and the oldest period in which a number was dialled; NULL: none was. */
export const NEWEST_PERIOD = 'SELECT max(dial_period) FROM attempts INDEXED BY attempts_of_phone';
export const OLDEST_PERIOD = 'SELECT min(dial_period) FROM attempts INDEXED BY attempts_of_phone';

/** Every period since the first call, as a table `period (n)`: by number, each is a search of its own. */
const EVERY_PERIOD = `(WITH RECURSIVE period (n) AS (${NEWEST_PERIOD} UNION ALL
    SELECT n - 1 FROM period WHERE n > (${OLDEST_PERIOD})) SELECT n FROM period) AS period`;

/** Attempts of one number, of all times, once `attempts.phone` is compared. */
export const ATTEMPTS_BY_PHONE = `${EVERY_PERIOD}
  CROSS JOIN attempts INDEXED BY attempts_of_phone ON attempts.dial_period = period.n`;

/** Counts the slots held at a time (epoch ms): by one campaign, or at one service over all campaigns. */
export function slotCounter(sql: Sql, by: 'campaign_id' | 'service') {
  const count = sql.value<[id: string, now: number], number>(
    `SELECT count(*) FROM ${ATTEMPTS_WITH_SLOT} WHERE ${by} = ? AND slot_until > ?`,
  );
  return (id: string, now: number): number => count(id, now) ?? 0;
}
