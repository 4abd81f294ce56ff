import type { Database } from 'better-sqlite3';
import { refusalOf, type DoubtFacts, type ResolutionRefusal } from '../../../domain/resolution.ts';
import type { Doubt, ResolutionRecord, Resolved } from '../../port.ts';
import { seqOf, type AttemptRow } from '../tables/attempt-rows.ts';
import type { AttemptTable } from '../tables/attempts.ts';
import type { CampaignTable } from '../tables/campaigns.ts';
import type { LeadTable } from '../tables/leads.ts';
import { withWhatFailed } from './sweep.ts';
import { toHeldSlot, type HeldSlotRow } from '../read/progress.ts';

/** Calls in doubt, and a person's word on them. */
export function resolveStatements(
  db: Database,
  tables: { attempts: AttemptTable; campaigns: CampaignTable; leads: LeadTable },
) {
  const select = (where: string) =>
    `SELECT attempts.*, leads.line, leads.cells, leads.state AS lead_state, leads.result AS lead_result,
       lists.number AS list, EXISTS (SELECT 1 FROM attempts AS later WHERE later.lead_row = attempts.lead_row
         AND later.ordinal > attempts.ordinal AND later.state <> 'released') AS called_again
     FROM attempts ${where}`;
  const joined = 'JOIN leads ON leads.row = attempts.lead_row JOIN lists ON lists.id = list_id';
  const selectDoubts = db.prepare<[string], DoubtRow>(
    select(`INDEXED BY attempts_holding ${joined}
     WHERE attempts.campaign_id = ? AND attempts.state IN ('unknown', 'unconfirmed')
       AND attempts.slot_until IS NOT NULL ORDER BY attempts.seq`),
  );
  const selectOne = db.prepare<[number], DoubtRow>(select(`${joined} WHERE attempts.seq = ?`));
  const updateResolution = db.prepare(
    `UPDATE attempts SET resolution = @as, resolved_at = @at, resolved_by = @by, resolution_note = @note
     WHERE seq = @seq`,
  );

  function resolve(id: string, record: ResolutionRecord): Resolved {
    const doubt = selectOne.get(seqOf(id));
    if (doubt === undefined) throw new Error(`no attempt has the id ${id}`);
    const refusal =
      refusalOf(toFacts(doubt), record.as, record.at) ?? refuseTakenCall(doubt, record);
    if (refusal !== null) return { kind: 'refused', refusal };
    settle(doubt, record);
    const { as, at, by, note } = record;
    updateResolution.run({ seq: doubt.seq, as, at, by, note });
    const callId = record.as === 'placed' ? record.callId : null;
    tables.campaigns.addHistory(doubt.campaign_id, {
      at,
      who: by,
      what: 'attempt.resolved',
      detail: { attempt: id, phone: doubt.phone, before: doubt.resolution, as, callId, note },
    });
    return { kind: 'resolved' };
  }

  function refuseTakenCall(doubt: DoubtRow, record: ResolutionRecord): ResolutionRefusal | null {
    if (record.as !== 'placed') return null;
    const holder = tables.attempts.holderOf(doubt, record.callId);
    return holder === null ? null : { why: 'call_taken', attemptId: holder };
  }

  function settle(doubt: DoubtRow, record: ResolutionRecord): void {
    const { at, by, note } = record;
    if (record.as === 'placed') {
      const facts = { at, detail: null, nextPollAt: at };
      tables.attempts.apply(doubt, { type: 'evidence', callId: record.callId }, facts);
      return;
    }
    const said = `${by} says so${note === null ? '' : ` (${note})`}`;
    const why = record.as === 'not_placed' ? 'the call was not made' : 'nobody can tell';
    const detail = withWhatFailed(`${why}: ${said}`, doubt);
    tables.attempts.apply(doubt, { type: 'gave_up' }, { at, detail });
    if (record.as === 'not_placed') {
      tables.attempts.letWait(doubt, `${why}: ${said}`);
    } else if (doubt.resolution === 'not_placed' && doubt.lead_state === 'waiting') {
      tables.leads.markDone(doubt.lead_row, 'unconfirmed', 'callsheet', detail);
    }
  }

  return {
    doubts: (campaignId: string): Doubt[] => selectDoubts.all(campaignId).map(toDoubt),
    resolve,
  };
}

interface DoubtRow extends AttemptRow, HeldSlotRow {
  seq: number;
  state: AttemptRow['state'];
  call_id: string | null;
  detail: string | null;
  accepted: 0 | 1;
  resolution: DoubtFacts['resolution'];
  resolved_at: number;
  resolved_by: string;
  resolution_note: string | null;
  cells: string;
  list: number;
  lead_state: DoubtFacts['lead']['state'];
  lead_result: DoubtFacts['lead']['result'];
  called_again: 0 | 1;
}

function toFacts(row: DoubtRow): DoubtFacts {
  return {
    state: row.state,
    holdsUntil: row.holds_until,
    accepted: row.accepted === 1,
    calledAgain: row.called_again === 1,
    resolution: row.resolution,
    lead: { state: row.lead_state, result: row.lead_result },
  };
}

function toDoubt(row: DoubtRow): Doubt {
  const { resolution: as } = row;
  return {
    ...toHeldSlot(row),
    ...toFacts(row),
    list: row.list,
    cells: JSON.parse(row.cells) as string[],
    service: row.service,
    resolution:
      as === null
        ? null
        : { as, at: row.resolved_at, by: row.resolved_by, note: row.resolution_note },
  };
}
