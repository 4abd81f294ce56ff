import type { Database } from 'better-sqlite3';
import type { E164 } from '../../../domain/phone.ts';
import type { CapturedLead, DeliveryDecision } from '../../port.ts';
import { attemptId } from './attempt-rows.ts';

/** What was taken for a time before there were bounds for it is none that can be written. */
const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2100, 0);

/** The table `captured_leads`: the fields that a delivery brought, and the attempt they belong to. */
export function capturedLeadTable(db: Database) {
  const upsert = db.prepare(
    `INSERT INTO captured_leads (delivery_id, attempt_seq, lead_row, captured_at, signed, fields)
     VALUES (@id, @seq, (SELECT lead_row FROM attempts WHERE seq = @seq), @capturedAt, @signed, @fields)
     ON CONFLICT (delivery_id) DO UPDATE SET attempt_seq = coalesce(excluded.attempt_seq, attempt_seq),
       lead_row = coalesce(excluded.lead_row, lead_row), signed = max(signed, excluded.signed)`,
  );
  const selectPage = db.prepare<{ campaignId: string; after: number; limit: number }, PageRow>(
    `SELECT captured_leads.rowid AS cursor, attempts.seq, attempts.phone, attempts.call_id, attempts.service,
       iif(captured_at BETWEEN ${EARLIEST} AND ${LATEST}, captured_at, received_at) AS captured_at,
       captured_leads.signed, fields
     FROM captured_leads JOIN attempts ON attempts.seq = captured_leads.attempt_seq
       JOIN inbox ON inbox.id = delivery_id
     WHERE captured_leads.rowid > @after AND attempts.campaign_id = @campaignId
     ORDER BY captured_leads.rowid LIMIT @limit + 0`,
  );

  return {
    keep(id: string, seq: number | null, lead: NonNullable<DeliveryDecision['lead']>): void {
      const fields = JSON.stringify(lead.fields);
      const { capturedAt } = lead;
      upsert.run({ id, seq, capturedAt, signed: lead.signed ? 1 : 0, fields });
    },
    page: (campaignId: string, after: string | null, limit: number): CapturedLead[] =>
      selectPage.all({ campaignId, after: Number(after ?? 0), limit }).map((row) => ({
        cursor: String(row.cursor),
        phone: row.phone,
        callId: row.call_id,
        attemptId: attemptId(row.seq),
        service: row.service,
        capturedAt: row.captured_at,
        signed: row.signed === 1,
        fields: JSON.parse(row.fields) as Record<string, unknown>,
      })),
  };
}

export type CapturedLeadTable = ReturnType<typeof capturedLeadTable>;

interface PageRow {
  cursor: number;
  seq: number;
  phone: E164;
  call_id: string | null;
  service: string;
  captured_at: number;
  signed: 0 | 1;
  fields: string;
}
