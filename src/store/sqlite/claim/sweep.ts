import { INTENT_LIMIT_MS } from '../../../domain/attempt.ts';
import type { Owner } from '../../port.ts';
import type { Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';
import { ATTEMPTS_WITH_SLOT, HAS_SLOT, IS_OPEN_CALL } from '../tables/attempt-conditions.ts';
import type { AttemptRow } from '../tables/attempt-rows.ts';
import type { Tables } from '../tables/tables.ts';

/** What time alone decides: orphaned intents, longest call, deadlines, evidence that never came. */
export function sweepStatements(sql: Sql, { attempts }: Tables) {
  const selectIntents = sql.rows<[campaignId: string], AttemptRow & Owner & { intent_at: number }>(
    `SELECT *, owner_host AS host, owner_boot AS boot, owner_pid AS pid FROM ${ATTEMPTS_WITH_SLOT}
     WHERE campaign_id = ? AND state = 'intent' AND ${HAS_SLOT}`,
  );
  const selectPastLongest = sql.rows<[campaignId: string, now: number], AttemptRow>(
    `SELECT * FROM ${ATTEMPTS_WITH_SLOT} WHERE campaign_id = ? AND slot_until <= ? AND state = 'placed'`,
  );
  // A call that was not polled for long (no runner for a night, or found after the deadline) is polled once more
  // first: a call is given up only after a poll, when its next poll would be later than the deadline.
  const selectPastDeadline = sql.rows<
    [{ campaignId: string; now: number; deadlineMs: number }],
    AttemptRow & { unreadable: string | null }
  >(
    `SELECT * FROM attempts INDEXED BY attempts_to_look_at
     WHERE campaign_id = @campaignId AND ${IS_OPEN_CALL} AND looks > 0
       AND coalesce(begins_at, intent_at) <= @now - @deadlineMs
       AND next_look_at > coalesce(begins_at, intent_at) + @deadlineMs`,
  );
  const beginDoubts = sql.run<[now: number, campaignId: string]>(
    `UPDATE ${ATTEMPTS_WITH_SLOT} SET unknown_at = ?
     WHERE campaign_id = ? AND state = 'unknown' AND unknown_at IS NULL AND ${HAS_SLOT}`,
  );
  const selectDoubtful = sql.rows<[campaignId: string, now: number], AttemptRow>(
    `SELECT * FROM ${ATTEMPTS_WITH_SLOT}
     WHERE campaign_id = ? AND state = 'unknown' AND unknown_at <= ? AND ${HAS_SLOT}`,
  );

  return {
    intentOwners: (campaignId) => {
      const owners: Owner[] = [];
      for (const { host, boot, pid } of selectIntents(campaignId)) {
        const owner = { host, boot, pid };
        if (!owners.some((known) => isSame(known, owner))) owners.push(owner);
      }
      return owners;
    },
    sweep: ({ campaignId, now, settings, gone }) => {
      const { deadlineMs } = settings.polling;
      const orphans = selectIntents(campaignId).filter(
        (row) => row.intent_at <= now - INTENT_LIMIT_MS || gone.some((owner) => isSame(owner, row)),
      );
      beginDoubts(now, campaignId);
      return {
        orphaned: applyAll(
          orphans,
          'orphaned',
          () => 'the program stopped between sending this call and keeping the answer',
        ),
        noResult: applyAll(
          selectPastDeadline({ campaignId, now, deadlineMs }),
          'deadline_passed',
          (row) => withLastAnswer('no readable analytics before the deadline', row),
        ),
        presumedDown: applyAll(
          selectPastLongest(campaignId, now),
          'longest_call_passed',
          () => null,
        ),
        unconfirmed: applyAll(
          selectDoubtful(campaignId, now - settings.reconcileForMs),
          'gave_up',
          (row) => whyInDoubt('no evidence of the call came in time', row),
        ),
      };

      function applyAll<Row extends AttemptRow>(
        rows: Row[],
        type: 'orphaned' | 'deadline_passed' | 'longest_call_passed' | 'gave_up',
        detailOf: (row: Row) => string | null,
      ): number {
        return rows.filter(
          (row) => attempts.apply(row, { type }, { at: now, detail: detailOf(row) }) === 'moved',
        ).length;
      }
    },
  } satisfies Partial<Methods>;
}

function isSame(one: Owner, other: Owner): boolean {
  return one.host === other.host && one.boot === other.boot && one.pid === other.pid;
}

/** Why a doubt is given up, after the failure that caused it; a later reason is appended to an earlier one. */
export function whyInDoubt(
  why: string,
  { state, detail }: Pick<AttemptRow, 'state' | 'detail'>,
): string {
  if (state === 'unconfirmed' && detail !== null) return `${detail}; ${why}`;
  return `the answer was lost${detail === null ? '' : ` (${detail})`}, and ${why}`;
}

/** Appends what was unreadable in the last answer, if anything was: this says what to correct in the profile. */
function withLastAnswer(
  why: string,
  { unreadable, detail }: AttemptRow & { unreadable: string | null },
): string {
  return unreadable === null || detail === null ? why : `${why}; the last answer: ${detail}`;
}
