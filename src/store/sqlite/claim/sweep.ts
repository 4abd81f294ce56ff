import type { Database } from 'better-sqlite3';
import { INTENT_LIMIT_MS, type AttemptEvent } from '../../../domain/attempt.ts';
import type { Owner, SweepCounts, SweepRequest } from '../../port.ts';
import type { AttemptRow } from '../tables/attempt-rows.ts';
import type { AttemptTable } from '../tables/attempts.ts';

/** What time alone decides: orphaned intents, longest call, deadlines, evidence that never came. */
export function sweepStatements(db: Database, attempts: AttemptTable) {
  const selectIntents = db.prepare<[string], AttemptRow & IntentColumns>(
    `SELECT * FROM attempts INDEXED BY attempts_holding WHERE campaign_id = ? AND state = 'intent'
       AND slot_until IS NOT NULL`,
  );
  const selectPastLongest = db.prepare<[string, number], AttemptRow>(
    `SELECT * FROM attempts INDEXED BY attempts_holding
     WHERE campaign_id = ? AND slot_until <= ? AND state = 'placed'`,
  );
  // Its next look was planned for after the deadline: a call that nobody looked at meanwhile (no runner
  // for a night, or only found after the deadline) gets one more look first.
  const selectPastDeadline = db.prepare<
    { campaignId: string; now: number; deadlineMs: number },
    AttemptRow & UnreadableColumn
  >(
    `SELECT * FROM attempts INDEXED BY attempts_to_look_at
     WHERE campaign_id = @campaignId AND next_look_at IS NOT NULL AND looks > 0
       AND coalesce(begins_at, intent_at) <= @now - @deadlineMs
       AND next_look_at > coalesce(begins_at, intent_at) + @deadlineMs`,
  );
  const beginDoubts = db.prepare(
    `UPDATE attempts INDEXED BY attempts_holding SET unknown_at = ?
     WHERE campaign_id = ? AND state = 'unknown' AND unknown_at IS NULL
       AND slot_until IS NOT NULL`,
  );
  const selectDoubtful = db.prepare<[string, number], AttemptRow>(
    `SELECT * FROM attempts INDEXED BY attempts_holding
     WHERE campaign_id = ? AND state = 'unknown' AND unknown_at <= ?
       AND slot_until IS NOT NULL`,
  );

  function applyAll(
    rows: AttemptRow[],
    event: AttemptEvent,
    at: number,
    detail: string | null,
  ): number {
    return rows.filter((row) => attempts.apply(row, event, { at, detail }) === 'moved').length;
  }

  return {
    intentOwners(campaignId: string): Owner[] {
      const owners: Owner[] = [];
      for (const row of selectIntents.all(campaignId)) {
        const owner = ownerOf(row);
        if (!owners.some((known) => isSame(known, owner))) owners.push(owner);
      }
      return owners;
    },
    sweep({ campaignId, now, settings, gone }: SweepRequest): SweepCounts {
      const orphans = selectIntents
        .all(campaignId)
        .filter(
          (row) =>
            row.intent_at <= now - INTENT_LIMIT_MS ||
            gone.some((owner) => isSame(owner, ownerOf(row))),
        );
      beginDoubts.run(now, campaignId);
      return {
        orphaned: applyAll(
          orphans,
          { type: 'orphaned' },
          now,
          'the program stopped between sending this call and keeping the answer',
        ),
        noResult: selectPastDeadline
          .all({ campaignId, now, deadlineMs: settings.polling.deadlineMs })
          .filter((row) => {
            const detail = withLast('no readable analytics before the deadline', row);
            return (
              attempts.apply(row, { type: 'deadline_passed' }, { at: now, detail }) === 'moved'
            );
          }).length,
        presumedDown: applyAll(
          selectPastLongest.all(campaignId, now),
          { type: 'longest_call_passed' },
          now,
          null,
        ),
        unconfirmed: selectDoubtful.all(campaignId, now - settings.reconcileForMs).filter((row) => {
          const detail = withWhatFailed('no evidence of the call came in time', row);
          return attempts.apply(row, { type: 'gave_up' }, { at: now, detail }) === 'moved';
        }).length,
      };
    },
  };
}

interface IntentColumns {
  intent_at: number;
  owner_host: string;
  owner_boot: string;
  owner_pid: number;
}

function ownerOf(row: IntentColumns): Owner {
  return { host: row.owner_host, boot: row.owner_boot, pid: row.owner_pid };
}

function isSame(one: Owner, other: Owner): boolean {
  return one.host === other.host && one.boot === other.boot && one.pid === other.pid;
}

interface UnreadableColumn {
  unreadable: string | null;
}

/** Why a doubt is no longer looked into; what failed at its beginning stays part of it. */
export function withWhatFailed(why: string, { detail }: Pick<AttemptRow, 'detail'>): string {
  const failed = /^the answer was lost \((.*)\), and /s.exec(detail ?? '')?.[1] ?? detail;
  return `the answer was lost${failed === null ? '' : ` (${failed})`}, and ${why}`;
}

/** What was wrong with the last answer, where there was one: it says what to mend in the profile. */
function withLast(why: string, { unreadable, detail }: AttemptRow & UnreadableColumn): string {
  return unreadable === null || detail === null ? why : `${why}; the last answer: ${detail}`;
}
