import type { CapturedLead, DeliveryDecision } from '../../port.ts';
import type { Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';
import { attemptIdOf } from './attempt-rows.ts';

/** Times outside of these bounds, which older versions took over from services, cannot be written as dates. */
const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2100, 0);

/** The table `captured_leads`: the fields that a delivery brought, and the attempt they belong to. */
export function capturedLeadTable(sql: Sql) {
  const upsert = sql.run(
    `INSERT INTO captured_leads (delivery_id, attempt_seq, lead_row, captured_at, signed, fields)
     VALUES (@id, @seq, (SELECT lead_row FROM attempts WHERE seq = @seq), @capturedAt, @signed, @fields)
     ON CONFLICT (delivery_id) DO UPDATE SET attempt_seq = coalesce(excluded.attempt_seq, attempt_seq),
       lead_row = coalesce(excluded.lead_row, lead_row), signed = max(signed, excluded.signed)`,
  );
  const selectPage = sql.rows<[{ campaignId: string; after: number; limit: number }], CapturedLead>(
    `SELECT CAST(captured_leads.rowid AS TEXT) AS cursor, ${attemptIdOf('attempts.seq')} AS attemptId, attempts.phone,
       attempts.call_id AS callId, attempts.service, captured_leads.signed, fields,
       iif(captured_at BETWEEN ${EARLIEST} AND ${LATEST}, captured_at, received_at) AS capturedAt
     FROM captured_leads JOIN attempts ON attempts.seq = captured_leads.attempt_seq
       JOIN inbox ON inbox.id = delivery_id
     WHERE captured_leads.rowid > @after AND attempts.campaign_id = @campaignId
     ORDER BY captured_leads.rowid LIMIT @limit + 0`,
    { json: ['fields'], flags: ['signed'] },
  );

  return {
    keep: (id: string, seq: number | null, lead: NonNullable<DeliveryDecision['lead']>): void => {
      const fields = JSON.stringify(lead.fields);
      upsert({ id, seq, capturedAt: lead.capturedAt, signed: lead.signed ? 1 : 0, fields });
    },
    reads: {
      capturedLeads: (campaignId, after, limit) =>
        selectPage({ campaignId, after: Number(after ?? 0), limit }),
    } satisfies Partial<Methods>,
  };
}
