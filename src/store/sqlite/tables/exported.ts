import type { Database } from 'better-sqlite3';
import type { E164 } from '../../../domain/phone.ts';

/** The table `exported`: what was exported of each lead last. */
export function exportedTable(db: Database) {
  const upsert = db.prepare(
    `INSERT INTO exported (lead_row, exported_as) SELECT row, @as FROM leads
       WHERE campaign_id = @campaignId AND phone = @phone
     ON CONFLICT (lead_row) DO UPDATE SET exported_as = excluded.exported_as`,
  );

  return {
    mark: (campaignId: string, leads: readonly { phone: E164; as: string }[]): void => {
      for (const { phone, as } of leads) upsert.run({ campaignId, phone, as });
    },
  };
}
