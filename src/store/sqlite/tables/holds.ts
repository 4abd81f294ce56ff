import { heldBy, type Hold } from '../../../domain/calling/policy.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { HeldBack } from '../../port.ts';
import type { Methods } from '../methods.ts';
import type { Sql } from '../sql.ts';

/** The table `holds`: each time a rule, a cap or a gap held a person back. */
export function holdTable(sql: Sql) {
  const insert = sql.run<[{ row: number; at: number } & Hold]>(
    `INSERT INTO holds (lead_row, at, until, decided_by, why)
     SELECT @row, @at, @until, @by, @why WHERE NOT EXISTS (SELECT 1 FROM holds
       WHERE lead_row = @row AND until IS @until AND decided_by = @by AND why = @why)`,
  );
  const countBlank = sql.value<[campaignId: string], number>(
    `SELECT count(*) FROM leads INDEXED BY leads_held WHERE campaign_id = ? AND held_under IS NOT NULL
       AND state = 'waiting' AND reason LIKE '${heldBy({ by: 'variables', why: '' })}%'`,
  );
  return {
    /** Records a hold of a lead, unless the same one is there already. */
    add: (row: number, at: number, { until, by, why }: Hold): void => {
      insert({ row, at, until, by, why });
    },
    /** The hold of a lead that ends at this moment, epoch ms. */
    until: sql.row<[row: number, until: number], Hold>(
      `SELECT until, decided_by AS by, why FROM holds WHERE lead_row = ? AND until = ?
       ORDER BY at DESC LIMIT 1`,
    ),
    reads: {
      holdsOf: sql.rows<[campaignId: string, phone: E164], HeldBack>(
        `SELECT at, until, decided_by AS by, why FROM holds WHERE lead_row =
           (SELECT row FROM leads WHERE campaign_id = ? AND phone = ?) ORDER BY at, seq`,
      ),
      blankPeople: (campaignId) => countBlank(campaignId) ?? 0,
    } satisfies Partial<Methods>,
  };
}
