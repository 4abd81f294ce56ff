import type { CallsAskedFor, PastCalls } from '../../../domain/calling/caps.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { Sql } from '../sql.ts';
import { COUNTS } from '../tables/attempt-conditions.ts';

/** A call that began longer ago than a silence and this is over, and its end is known. */
const LONGEST_OPEN_MS = 7 * 86_400_000;

/**
 * Reads the calls to one number that count for limits, over all campaigns, single calls and services; rehearsals and
 * real calls apart. Few rows of an index each, however many calls there were.
 */
export function pastCallStatements(sql: Sql) {
  const from = (index: string) =>
    `attempts INDEXED BY ${index} CROSS JOIN campaigns ON campaigns.id = attempts.campaign_id
     WHERE campaigns.simulated = @simulated AND phone = @phone`;
  const selectNewest = sql.tuples<[Asked & Bounds], CountedCall>(
    `SELECT seq, max(intent_at, coalesce(begins_at, 0)) FROM ${from('attempts_of_phone')}
       AND intent_at > @since AND attempts.${COUNTS} ORDER BY intent_at DESC LIMIT @calls + 0`,
  );
  // A call that was put off may begin within a period before which it was dialled.
  const selectPostponed = sql.tuples<[Asked & Bounds], CountedCall>(
    `SELECT seq, max(intent_at, begins_at) FROM ${from('attempts_postponed')}
       AND begins_at > @since AND attempts.${COUNTS} ORDER BY begins_at DESC LIMIT @calls + 0`,
  );
  const selectEnd = (result: 'answered' | 'declined') =>
    sql.value<[Asked], number>(
      // A settled call has an end: the index answers alone.
      `SELECT ended_at FROM ${from('attempts_with_silence')}
         AND result = '${result}' ORDER BY ended_at DESC LIMIT 1`,
    );
  const selectAnswered = selectEnd('answered');
  const selectDeclined = selectEnd('declined');
  const selectOpen = sql.value<[Asked & { since: number }], number | null>(
    `SELECT max(holds_until, coalesce(begins_at + holds_until - intent_at, 0)) FROM ${from('attempts_of_phone')}
       AND intent_at > @since AND (attempts.state = 'intent' OR attempts.state = 'placed'
         OR attempts.state = 'ended' OR attempts.state = 'unknown')
       ORDER BY intent_at DESC LIMIT 1`,
  );

  return function read(
    number: { phone: E164; simulated: boolean },
    { withinMs, calls, withEnds }: CallsAskedFor,
    now: number,
  ): PastCalls {
    const asked = {
      phone: number.phone,
      simulated: number.simulated ? (1 as const) : (0 as const),
    };
    const bounds = { ...asked, since: now - withinMs, calls };
    const counted =
      calls === 0 ? [] : new Map([...selectNewest(bounds), ...selectPostponed(bounds)]).values();
    const beganAt = [...counted].toSorted((a, b) => b - a);
    if (!withEnds) {
      return { beganAt, answeredUntil: null, declinedUntil: null, openUntil: null };
    }
    return {
      beganAt,
      answeredUntil: selectAnswered(asked) ?? null,
      declinedUntil: selectDeclined(asked) ?? null,
      openUntil: selectOpen({ ...asked, since: now - LONGEST_OPEN_MS }) ?? null,
    };
  };
}

interface Asked {
  phone: string;
  simulated: 0 | 1;
}

interface Bounds {
  since: number;
  calls: number;
}

type CountedCall = [seq: number, beganAt: number];
