import { INTENT_LIMIT_MS } from '../../../domain/attempt.ts';
import { refusalOf, type DoubtFacts, type ResolutionRefusal } from '../../../domain/resolution.ts';
import type { Doubt, Owner, ResolutionRecord } from '../../port.ts';
import { HELD_SLOT_COLUMNS, toHeldSlot, type HeldSlotRow } from '../read/progress.ts';
import type { Methods, Sql } from '../sql.ts';
import {
  ATTEMPTS_WITH_SLOT,
  COUNTS,
  HAS_SLOT,
  IN_DOUBT,
  IS_OPEN_CALL,
  seqOf,
  type AttemptRow,
} from '../tables/attempt-rows.ts';
import type { Tables } from '../tables/tables.ts';

/** Reads calls in doubt, and records how a person resolves them. */
export function resolveStatements(sql: Sql, { attempts, campaigns, nights }: Tables) {
  const select = (from: string) =>
    `SELECT ${HELD_SLOT_COLUMNS}, attempts.service, attempts.accepted,
       leads.state AS leadState, leads.result AS leadResult, attempts.resolution AS resolvedAs,
       attempts.resolved_at AS resolvedAt, attempts.resolved_by AS resolvedBy, attempts.resolution_note AS note,
       EXISTS (SELECT 1 FROM attempts AS later WHERE later.lead_row = attempts.lead_row
         AND later.ordinal > attempts.ordinal AND later.${COUNTS}) AS calledAgain
     FROM ${from} JOIN leads ON leads.row = attempts.lead_row JOIN lists ON lists.id = list_id`;
  const selectDoubts = sql.rows<[campaignId: string], DoubtRow>(
    `${select(ATTEMPTS_WITH_SLOT)} WHERE attempts.campaign_id = ? AND ${IN_DOUBT} ORDER BY attempts.seq`,
  );
  const selectOne = sql.row<[seq: number], DoubtRow>(
    `${select('attempts')} WHERE attempts.seq = ?`,
  );
  const updateResolution = sql.run(
    `UPDATE attempts SET resolution = @as, resolved_at = @at, resolved_by = @by, resolution_note = @note
     WHERE seq = @seq`,
  );

  function refuseTakenCall(
    attempt: AttemptRow,
    record: ResolutionRecord,
  ): ResolutionRefusal | null {
    if (record.as !== 'placed') return null;
    const holder = attempts.holderOf(attempt, record.callId);
    return holder === null ? null : { why: 'call_taken', attemptId: holder };
  }

  function settle(attempt: AttemptRow, doubt: DoubtRow, record: ResolutionRecord): void {
    const { at, by, note } = record;
    if (record.as === 'placed') {
      const facts = { at, detail: null, nextPollAt: at };
      attempts.apply(attempt, { type: 'evidence', callId: record.callId }, facts);
      return;
    }
    const why = record.as === 'not_placed' ? 'the call was not made' : 'nobody can tell';
    const said = `${why}: ${by} says so${note === null ? '' : ` (${note})`}`;
    const detail = whyInDoubt(said, doubt);
    attempts.apply(attempt, { type: 'gave_up' }, { at, detail });
    // What is resolved anew does not move, but tells something else of its lead.
    const facts = { at, detail: record.as === 'not_placed' ? said : detail };
    attempts.stand(attempt.lead_row, attempt.seq, facts);
  }

  return {
    keeps: {
      resolve: (id, record) => {
        const doubt = selectOne(seqOf(id));
        if (doubt === undefined) throw new Error(`no attempt has the id ${id}`);
        const attempt = attempts.get(id);
        const refusal =
          refusalOf(toFacts(doubt), record.as, record.at) ?? refuseTakenCall(attempt, record);
        if (refusal !== null) return { kind: 'refused', refusal };
        const { as, at, by, note } = record;
        updateResolution({ seq: attempt.seq, as, at, by, note });
        settle(attempt, doubt, record);
        if (as !== 'placed') nights.resolved(attempt, as);
        const callId = record.as === 'placed' ? record.callId : null;
        campaigns.addHistory(attempt.campaign_id, {
          at,
          who: by,
          what: 'attempt.resolved',
          detail: { attempt: id, phone: doubt.phone, before: doubt.resolvedAs, as, callId, note },
        });
        return { kind: 'resolved' };
      },
    } satisfies Partial<Methods>,
    reads: {
      doubts: (campaignId) => selectDoubts(campaignId).map(toDoubt),
    } satisfies Partial<Methods>,
  };
}

interface DoubtRow extends HeldSlotRow, Pick<Doubt, 'list' | 'service'> {
  accepted: 0 | 1;
  cells: string;
  leadState: DoubtFacts['lead']['state'];
  leadResult: DoubtFacts['lead']['result'];
  calledAgain: 0 | 1;
  resolvedAs: DoubtFacts['resolution'];
  resolvedAt: number;
  resolvedBy: string;
  note: string | null;
}

function toFacts(row: DoubtRow): DoubtFacts {
  return {
    state: row.state,
    holdsUntil: row.holdsUntil,
    accepted: row.accepted === 1,
    calledAgain: row.calledAgain === 1,
    resolution: row.resolvedAs,
    lead: { state: row.leadState, result: row.leadResult },
  };
}

function toDoubt(row: DoubtRow): Doubt {
  const { resolvedAs: as, resolvedAt: at, resolvedBy: by, note, service } = row;
  return {
    ...toHeldSlot(row),
    ...toFacts(row),
    service,
    resolution: as === null ? null : { as, at, by, note },
  };
}

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
    `SELECT * FROM attempts INDEXED BY attempts_to_poll
     WHERE campaign_id = @campaignId AND ${IS_OPEN_CALL} AND polls > 0
       AND coalesce(begins_at, intent_at) <= @now - @deadlineMs
       AND next_poll_at > coalesce(begins_at, intent_at) + @deadlineMs`,
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
function whyInDoubt(why: string, { state, detail }: Pick<AttemptRow, 'state' | 'detail'>): string {
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
