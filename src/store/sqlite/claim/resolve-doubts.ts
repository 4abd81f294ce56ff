import { refusalOf, type DoubtFacts, type ResolutionRefusal } from '../../../domain/resolution.ts';
import type { Doubt, ResolutionRecord } from '../../port.ts';
import type { Methods } from '../methods.ts';
import { HELD_SLOT_COLUMNS, toHeldSlot, type HeldSlotRow } from '../read/progress.ts';
import type { Sql } from '../sql.ts';
import { ATTEMPTS_WITH_SLOT, COUNTS, IN_DOUBT } from '../tables/attempt-conditions.ts';
import { seqOf, type AttemptRow } from '../tables/attempt-rows.ts';
import type { Tables } from '../tables/tables.ts';
import { whyInDoubt } from './sweep.ts';

/** Reads calls in doubt, and records how a person resolves them. */
export function resolveStatements(sql: Sql, { attempts, campaigns, nights }: Tables) {
  const select = (from: string) =>
    `SELECT ${HELD_SLOT_COLUMNS}, attempts.service, attempts.accepted, lists.number AS list, leads.cells,
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
  const { resolvedAs: as, resolvedAt: at, resolvedBy: by, note, list, service } = row;
  return {
    ...toHeldSlot(row),
    ...toFacts(row),
    list,
    service,
    cells: JSON.parse(row.cells) as string[],
    resolution: as === null ? null : { as, at, by, note },
  };
}
